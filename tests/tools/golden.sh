#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Golden results: what each shipped scenario gives for a few replications is
# kept as tests/golden/<folder>-<name>.txt, so a change of the model shows up
# as a diff of metrics that has to be explained in the commit: the table for
# people to read, and the digest of the CSV, which holds every metric of every
# replication. Run with one and with two threads: same bytes.
#   RCUSIM=build/release/rcusim golden.sh
#   UPDATE=1 golden.sh      rewrites the files
# Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${RCUSIM:?names the program}
scenarios=${GOLDEN_SCENARIOS:-scenarios}
golden=${GOLDEN_DIR:-tests/golden}
replications=20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C NO_COLOR=1
passed=0 failed=0

run() { # JOBS FORMAT FILE
	"$rcusim" run -n $replications --seed 1 -j "$1" --format "$2" "$3"
}

compare() { # SCENARIO
	local scenario=$1 file
	file=$(basename "$(dirname "$scenario")")-$(basename "$scenario" .yaml).txt
	if ! run 1 csv "$scenario" >"$work/one" 2>"$work/err"; then
		echo "$scenario: failed"
		head -n 20 "$work/err"
		return 1
	fi
	run 2 csv "$scenario" >"$work/two" 2>/dev/null
	cmp -s "$work/one" "$work/two" || { echo "$scenario: -j 1 and -j 2 differ"; return 1; }
	{
		echo "csv: $(wc -l <"$work/one") lines, sha256 $(sha256sum <"$work/one" | cut -c 1-64)"
		run 2 table "$scenario" 2>/dev/null
	} >"$work/now"
	if [ "${UPDATE:-}" = 1 ]; then
		cp "$work/now" "$golden/$file"
	elif [ ! -e "$golden/$file" ]; then
		echo "$scenario: no $golden/$file (make golden UPDATE=1 writes it)"
		return 1
	elif ! cmp -s "$golden/$file" "$work/now"; then
		echo "$scenario: differs from $golden/$file"
		diff -u "$golden/$file" "$work/now" | head -n 40
		return 1
	fi
}

[ "${UPDATE:-}" = 1 ] && mkdir -p "$golden"
for scenario in "$scenarios"/*/*.yaml; do
	case $scenario in */platforms/* | "$scenarios/*/*.yaml") continue ;; esac
	if compare "$scenario"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
for file in "$golden"/*.txt; do
	[ -e "$file" ] || continue
	name=$(basename "$file" .txt)
	[ -e "$scenarios/${name%%-*}/${name#*-}.yaml" ] && continue
	echo "$file: its scenario is gone"
	failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

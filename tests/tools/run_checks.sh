#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs test binaries (Check) and test scripts and adds up their totals.
#   run_checks.sh -b BUILD_DIR [-j JOBS] [-s NAME=SCRIPT]... BINARY...
# Prints the totals line of each, the whole output of those that failed, and
# at the end `N passed, M failed` alone on a line. With RCUSIM_TOTALS=FILE
# "N M" is appended to FILE instead, for a caller that adds up several runs.
# Exit status 0 when nothing failed and something ran.
set -uo pipefail
build=; jobs=2; scripts=()
while getopts b:j:s: opt; do
	case $opt in
	b) build=$OPTARG ;;
	j) jobs=$OPTARG ;;
	s) scripts+=("$OPTARG") ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ -n "$build" ] || { echo "run_checks.sh: -b is missing" >&2; exit 2; }

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export logs
export RCUSIM=$build/rcusim BUILD_DIR=$build
# Check's own limit of 4 s is too short for a loaded machine.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-120}

# shellcheck disable=SC2317 # called by the shells that xargs starts
run_one() {
	local name=$1 start rc=0
	shift
	start=$(date +%s%N)
	timeout "${CHECK_TIMEOUT:-600}" "$@" >"$logs/$name.log" 2>&1 </dev/null || rc=$?
	echo "$rc $((($(date +%s%N) - start) / 1000000))" >"$logs/$name.rc"
}
export -f run_one

names=()
{
	for binary in "$@"; do
		printf '%s\0%s\0' "$(basename "$binary")" "$binary"
	done
	for pair in "${scripts[@]}"; do
		printf '%s\0%s\0' "${pair%%=*}" "${pair#*=}"
	done
} >"$logs/todo"
while IFS= read -r -d '' name && IFS= read -r -d '' _; do
	names+=("$name")
done <"$logs/todo"
if [ ${#names[@]} -gt 0 ]; then
	# shellcheck disable=SC2016 # expanded by the inner shell
	xargs -0 -n 2 -P "$jobs" bash -c 'run_one "$@"' run_one <"$logs/todo"
fi

# Sets good, failures, errors from a log: Check's line, or the scripts' `N passed, M failed`.
read_totals() {
	local line
	good=0 failures=0 errors=0 found=0
	while IFS= read -r line; do
		if [[ $line =~ ^[0-9]+%:\ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+)$ ]]; then
			failures=$((failures + BASH_REMATCH[2]))
			errors=$((errors + BASH_REMATCH[3]))
			good=$((good + BASH_REMATCH[1] - BASH_REMATCH[2] - BASH_REMATCH[3]))
			found=1
		elif [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
			good=$((good + BASH_REMATCH[1]))
			failures=$((failures + BASH_REMATCH[2]))
			found=1
		fi
	done <"$1"
}

passed=0 failed=0
for name in "${names[@]}"; do
	rc=70 millis=0
	[ -e "$logs/$name.rc" ] && read -r rc millis <"$logs/$name.rc"
	read_totals "$logs/$name.log"
	if [ "$rc" -ne 0 ] && [ $((failures + errors)) -eq 0 ]; then
		# died, hung, or reported success in its totals only
		errors=1
		echo "$name: exit status $rc" >>"$logs/$name.log"
	elif [ "$found" -eq 0 ]; then
		errors=1
		echo "$name: printed no totals" >>"$logs/$name.log"
	fi
	bad=$((failures + errors)) total=$((good + failures + errors))
	[ "$bad" -eq 0 ] || sed 's/^/    /' "$logs/$name.log"
	printf '%d%%: Checks: %d, Failures: %d, Errors: %d  %s (%d.%02d s)\n' \
		$((total ? good * 100 / total : 0)) "$total" "$failures" "$errors" "$name" \
		$((millis / 1000)) $((millis % 1000 / 10))
	passed=$((passed + good)) failed=$((failed + bad))
done
if [ -n "${RCUSIM_TOTALS:-}" ]; then
	echo "$passed $failed" >>"$RCUSIM_TOTALS"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The JSON of a 200-replication run is the same bytes whatever the number of
# threads, the compiler and its optimisation.
#   determinism.sh BUILD_DIR...
# Ends with `N passed, M failed`.
set -uo pipefail
scenario=${SCENARIO:-scenarios/boot/kvm-2015.yaml}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for build in "$@"; do
	for jobs in 1 2; do
		if ! "$build/rcusim" run -n 200 -j $jobs --format json "$scenario" >"$work/json"; then
			echo "$build -j$jobs: failed"
			failed=$((failed + 1))
			continue
		fi
		[ -e "$work/first" ] || cp "$work/json" "$work/first"
		if cmp "$work/first" "$work/json"; then
			printf '%-24s -j%d  %s\n' "$build" $jobs "$(sha256sum <"$work/json" | cut -c 1-16)"
			passed=$((passed + 1))
		else
			echo "$build -j$jobs: differs from $1 -j1"
			failed=$((failed + 1))
		fi
	done
done
if [ -n "${RCUSIM_TOTALS:-}" ]; then
	echo "$passed $failed" >>"$RCUSIM_TOTALS"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

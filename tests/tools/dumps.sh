#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What torture writes for a run is a scenario that the program loads, and that
# runs to its end with the oracle on.
# RCUSIM is the program, BUILD_DIR its folder. Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${RCUSIM:-build/release/rcusim}
torture=${BUILD_DIR:-build/release}/tests/model/torture
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for number in $(seq 0 39); do
	if "$torture" -r "$number" -o "$work/run.yaml" >"$work/out" 2>&1 &&
		"$rcusim" run "$work/run.yaml" --check -o "$work/table" >>"$work/out" 2>&1 &&
		grep -q '^events' <("$rcusim" run "$work/run.yaml" --format csv 2>/dev/null | cut -d, -f5 | sort -u); then
		passed=$((passed + 1))
	else
		echo "run $number:"
		head -n 5 "$work/out"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

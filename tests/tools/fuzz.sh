#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs fuzz targets for SECONDS each.
#   fuzz.sh SECONDS BINARY...
# A target fuzz_NAME starts from tests/fuzz/corpus/NAME; what it learns stays
# in build/fuzz/. Ends with `N passed, M failed`.
set -uo pipefail
seconds=${1:?seconds}
shift
passed=0 failed=0
for binary in "$@"; do
	name=$(basename "$binary")
	name=${name#fuzz_}
	corpus=tests/fuzz/corpus/$name
	found=$(dirname "$binary")/found-$name
	mkdir -p "$found"
	seeds=()
	[ -d "$corpus" ] && seeds=("$corpus")
	options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
		-artifact_prefix="$found/crash-")
	[ -e "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
	mkdir -p "$found/corpus"
	rc=0 inputs=
	"$binary" "${options[@]}" "$found/corpus" "${seeds[@]}" >"$found/log" 2>&1 || rc=$?
	[ "$rc" -eq 0 ] && inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/log")
	if [ "${inputs:-0}" -gt 0 ]; then
		echo "$name: $inputs inputs in $seconds s, nothing found"
		passed=$((passed + 1))
	elif [ "$rc" -eq 0 ]; then
		echo "$name: ran no input; see $found/log"
		failed=$((failed + 1))
	else
		tail -n 60 "$found/log"
		echo "$name: the input is in $found/"
		failed=$((failed + 1))
	fi
done
if [ -n "${RCUSIM_TOTALS:-}" ]; then
	echo "$passed $failed" >>"$RCUSIM_TOTALS"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

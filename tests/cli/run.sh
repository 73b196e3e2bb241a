#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Command-line tests, run from the repository's root with RCUSIM naming the
# program.
#   run.sh [NAME...]       all of them, or those named
#   UPDATE=1 run.sh        rewrites stdout.exact and exit
#
# tests/cli/NAME/ holds
#   cmd           a sh snippet; $RCUSIM is the program, $TMP an empty folder
#   stdout.exact  what it must print; or
#   stdout.glob   a shell pattern for each line of what it must print
#   stderr.glob   the same for stderr; without it stderr must be empty
#   exit          the status it must end with; without it 0
#
# tests/data/bad/NAME.yaml is a broken scenario, NAME.gen a sh script that
# prints one; NAME.expect holds fixed strings that must all occur in stderr.
# Running it must end with status 65, print nothing on stdout and leave no
# output file.
#
# Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${RCUSIM:?names the program}
[ -x "$rcusim" ] || { echo "run.sh: no program $rcusim" >&2; exit 2; }
RCUSIM=$(realpath "$rcusim")
export RCUSIM NO_COLOR=1 LC_ALL=C
# a sanitizer report must not pass for an expected failure
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99} UBSAN_OPTIONS=${UBSAN_OPTIONS:-exitcode=99}
cases=${CLI_CASES:-tests/cli}
bad_dir=${CLI_BAD:-tests/data/bad}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

fail() {
	echo "FAIL $1: $2"
	ok=0
}

# matches PATTERN_FILE TEXT_FILE: line by line, as shell patterns; a pattern
# line `...` stands for any number of lines
matches() {
	local -a want got
	local w=0 g=0
	mapfile -t want <"$1"
	mapfile -t got <"$2"
	while [ "$w" -lt ${#want[@]} ]; do
		if [ "${want[w]}" = ... ]; then
			w=$((w + 1))
			[ "$w" -ge ${#want[@]} ] && return 0
			# shellcheck disable=SC2053 # a pattern is meant
			while [ "$g" -lt ${#got[@]} ] && [[ ${got[g]} != ${want[w]} ]]; do
				g=$((g + 1))
			done
			continue
		fi
		[ "$g" -lt ${#got[@]} ] || return 1
		# shellcheck disable=SC2053 # a pattern is meant
		[[ ${got[g]} == ${want[w]} ]] || return 1
		w=$((w + 1)) g=$((g + 1))
	done
	[ "$g" -eq ${#got[@]} ]
}

show() {
	echo "  --- $1"
	head -n 40 "$2" | cut -c 1-300 | sed 's/^/  | /'
}

count() {
	if [ "$ok" -eq 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

run_case() {
	local dir=$1 name rc=0 status=0
	name=$(basename "$dir")
	ok=1
	export TMP=$work/$name.tmp
	mkdir -p "$TMP"
	timeout 120 sh "$dir/cmd" >"$work/out" 2>"$work/err" </dev/null || rc=$?
	if [ "${UPDATE:-}" = 1 ]; then
		[ -e "$dir/stdout.glob" ] || cp "$work/out" "$dir/stdout.exact"
		if [ "$rc" -eq 0 ]; then rm -f "$dir/exit"; else echo "$rc" >"$dir/exit"; fi
	fi
	[ -e "$dir/exit" ] && status=$(cat "$dir/exit")
	[ "$rc" = "$status" ] || fail "$name" "exit status $rc, not $status"
	if [ -e "$dir/stdout.glob" ]; then
		matches "$dir/stdout.glob" "$work/out" || { fail "$name" "stdout does not match"; show stdout "$work/out"; }
	elif [ -e "$dir/stdout.exact" ]; then
		cmp -s "$dir/stdout.exact" "$work/out" || {
			fail "$name" "stdout differs"
			diff -u "$dir/stdout.exact" "$work/out" | head -n 40
		}
	elif [ -s "$work/out" ]; then
		fail "$name" "unexpected stdout"; show stdout "$work/out"
	fi
	if [ -e "$dir/stderr.glob" ]; then
		matches "$dir/stderr.glob" "$work/err" || { fail "$name" "stderr does not match"; show stderr "$work/err"; }
	elif [ -s "$work/err" ]; then
		fail "$name" "unexpected stderr"; show stderr "$work/err"
	fi
	count
}

run_bad() {
	local expect=$1 base name rc=0 line
	base=${expect%.expect}
	name=bad/$(basename "$base")
	ok=1
	mkdir -p "$work/bad"
	if [ -e "$base.gen" ]; then
		mkdir -p "$work/generated"
		sh "$base.gen" >"$work/generated/${name#bad/}.yaml" || fail "$name" "its .gen script failed"
		base=$work/generated/${name#bad/}
	fi
	timeout 60 "$RCUSIM" run -n 1 --format json -o "$work/bad/out.json" "$base.yaml" \
		>"$work/out" 2>"$work/err" </dev/null || rc=$?
	[ "$rc" = 65 ] || fail "$name" "exit status $rc, not 65"
	[ -s "$work/out" ] && fail "$name" "printed on stdout"
	if [ -n "$(ls -A "$work/bad")" ]; then
		fail "$name" "left an output file: $(ls -A "$work/bad")"
		rm -rf "$work/bad"
	fi
	[ -s "$expect" ] || fail "$name" "its .expect is empty"
	while IFS= read -r line || [ -n "$line" ]; do
		grep -qF -e "$line" "$work/err" || fail "$name" "stderr lacks: $line"
	done <"$expect"
	[ "$ok" -eq 1 ] || show stderr "$work/err"
	count
}

wanted() {
	[ ${#only[@]} -eq 0 ] && return 0
	local n
	for n in "${only[@]}"; do [ "$n" = "$1" ] && return 0; done
	return 1
}

only=("$@")
for dir in "$cases"/*/; do
	dir=${dir%/}
	[ -e "$dir/cmd" ] || continue
	wanted "$(basename "$dir")" && run_case "$dir"
done
for expect in "$bad_dir"/*.expect; do
	[ -e "$expect" ] || continue
	wanted "bad/$(basename "${expect%.expect}")" && run_bad "$expect"
done
# a broken file without its message would be tested by nobody
for file in "$bad_dir"/*.yaml "$bad_dir"/*.gen; do
	[ -e "$file" ] || continue
	[ -e "${file%.*}.expect" ] || { echo "FAIL $file: no .expect beside it"; failed=$((failed + 1)); }
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Static checks of everything.
#   lint.sh [-j JOBS] -f 'C FLAGS' SOURCE... -- TEST_SOURCE... -- HEADER...
# Prints what each tool found. Ends with `N passed, M failed` (tools).
set -uo pipefail
jobs=2 flags=
while getopts j:f: opt; do
	case $opt in
	j) jobs=$OPTARG ;;
	f) flags=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
sources=() tests=() headers=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do sources+=("$1"); shift; done
shift
while [ $# -gt 0 ] && [ "$1" != -- ]; do tests+=("$1"); shift; done
shift
headers=("$@")
passed=0 failed=0

step() { # NAME COMMAND...
	local name=$1 start=$SECONDS rc=0
	shift
	"$@" || rc=$?
	if [ "$rc" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
	printf '%-12s %s (%d s)\n' "$name" "$([ "$rc" -eq 0 ] && echo clean || echo FAILED)" $((SECONDS - start))
}

# the shell removes the quotes that make needed around defines
flag_words=()
eval "flag_words=($flags)"
clang_flags=()
for word in "${flag_words[@]}"; do
	case $word in -Werror) ;; *) clang_flags+=("$word") ;; esac
done

tidy_one() {
	local file=$1 out
	shift
	# clang-tidy counts the warnings it hides on stderr
	if ! out=$(clang-tidy --quiet "$file" -- "$@" 2>/dev/null); then
		printf '%s\n' "$out"
		return 1
	fi
	[ -z "$out" ] || printf '%s\n' "$out"
}
export -f tidy_one

tidy() {
	command -v clang-tidy >/dev/null || { echo "clang-tidy: not installed (./setup.sh --ci)"; return 1; }
	# shellcheck disable=SC2016 # expanded by the inner shell
	printf '%s\0' "${sources[@]}" "${tests[@]}" |
		xargs -0 -P "$jobs" -I '{}' bash -c 'tidy_one "$@"' tidy_one '{}' "${clang_flags[@]}"
}

cpp_check() {
	command -v cppcheck >/dev/null || { echo "cppcheck: not installed (./setup.sh --ci)"; return 1; }
	cppcheck -q -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 -D_GNU_SOURCE -D__GNUC__=12 -DRCUSIM_DATADIR='"x"' -I. "${sources[@]}"
}

shell_check() {
	shellcheck setup.sh .ci/run tests/*/*.sh
}

yaml_lint() {
	yamllint -s -c .yamllint scenarios tests/cli/scenarios
}

# one test here, whatever totals it counts itself: its output matters when it fails
quiet() {
	local out
	out=$("$@" 2>&1) || { printf '%s\n' "$out"; return 1; }
}

step clang-tidy tidy
step cppcheck cpp_check
step shellcheck shell_check
[ -d scenarios ] && step yamllint yaml_lint
step layers quiet tests/tools/check_layers.sh
step headers quiet tests/tools/check_headers.sh "${CC:-gcc} $flags" "${headers[@]}"
if [ -n "${RCUSIM_TOTALS:-}" ]; then
	echo "$passed $failed" >>"$RCUSIM_TOTALS"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]

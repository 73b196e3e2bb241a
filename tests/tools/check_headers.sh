#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each header compiles alone, and twice in a row.
#   check_headers.sh 'CC FLAGS...' HEADER...
# Ends with `N passed, M failed`.
set -uo pipefail
read -r -a compile <<<"${1:?compiler and flags}"
shift
passed=0 failed=0
for header in "$@"; do
	# the typedef keeps the translation unit from being empty
	if printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" |
		"${compile[@]}" -fsyntax-only -x c -; then
		passed=$((passed + 1))
	else
		echo "$header: does not compile alone"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

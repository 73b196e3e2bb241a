#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# sources.mk and the tree agree: nothing is built or shipped by accident, and
# nothing is left out unnoticed.
#   check_sources.sh [ROOT]
# One test for each list. Ends with `N passed, M failed`.
set -uo pipefail
cd "${1:-.}" || exit 2
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

compare() { # LIST FIND_ARGUMENTS...
	local list=$1 file bad=0
	shift
	awk -v list="$list" '
		$1 == list && $2 == ":=" { inside = 1; next }
		inside && NF { print $1 }
		inside && $NF != "\\" { inside = 0 }' sources.mk >"$work/listed"
	find "$@" 2>/dev/null | sort >"$work/found"
	if ! sort -c -u "$work/listed" 2>"$work/order"; then
		echo "sources.mk: $list is not sorted: $(sed 's/.*disorder: //' "$work/order")"
		bad=1
	fi
	sort -u "$work/listed" >"$work/sorted"
	while IFS= read -r file; do
		echo "$file: not in $list of sources.mk"
		bad=1
	done < <(comm -13 "$work/sorted" "$work/found")
	while IFS= read -r file; do
		echo "sources.mk: $list names $file, which does not exist"
		bad=1
	done < <(comm -23 "$work/sorted" "$work/found")
	[ -s "$work/listed" ] || { echo "sources.mk: $list is empty"; bad=1; }
	if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

compare SRC sim models output -name '*.c'
compare HEADERS sim models output -name '*.h'
compare SCENARIOS scenarios -name '*.yaml'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

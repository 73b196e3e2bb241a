#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Documentation that would go stale unnoticed:
#   - the program output shown in README.md is what the program prints;
#   - links and scenario files named in the documents exist;
#   - `make` targets named there exist;
#   - rcusim(1) and `rcusim help` name the same options and commands.
#   RCUSIM=build/release/rcusim check_docs.sh
#   UPDATE=1 check_docs.sh   rewrites the output in README.md
# Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${RCUSIM:?names the program}
root=${DOCS_ROOT:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C NO_COLOR=1
passed=0 failed=0

verdict() {
	if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# README.md holds:  <!-- output: rcusim ARGS -->  ```  ...  ```
check_readme() {
	local readme=$root/README.md args
	args=$(sed -n 's/^<!-- output: rcusim \(.*\) -->$/\1/p' "$readme" | head -n 1)
	[ -n "$args" ] || { echo "README.md: no output section"; return 1; }
	# shellcheck disable=SC2086 # words of a command line
	"$rcusim" $args >"$work/output" 2>"$work/err" || {
		echo "README.md: rcusim $args failed"
		head -n 20 "$work/err"
		return 1
	}
	awk -v output="$work/output" '
		/^<!-- output: / { print; inside = 1; next }
		inside == 1 && /^```/ {
			print; inside = 2
			while ((getline line < output) > 0) print line
			next
		}
		inside == 2 && /^```/ { inside = 0 }
		inside != 2 { print }' "$readme" >"$work/README.md"
	cmp -s "$readme" "$work/README.md" && return 0
	if [ "${UPDATE:-}" = 1 ]; then
		cat "$work/README.md" >"$readme"
		return 0
	fi
	echo "README.md: shows other output than the program prints (make readme-output)"
	diff -u "$readme" "$work/README.md" | head -n 40
	return 1
}

check_links() { # FILE
	local file=$1 target bad=0
	while IFS= read -r target; do
		case $target in http* | mailto:* | '#'*) continue ;; esac
		target=${target%%#*}
		[ -e "$(dirname "$file")/$target" ] || { echo "$file: link to $target, which does not exist"; bad=1; }
	done < <(grep -o '](\([^)]*\))' "$file" | sed 's/^](\(.*\))$/\1/')
	while IFS= read -r target; do
		[ -e "$root/$target" ] || { echo "$file: names $target, which does not exist"; bad=1; }
	done < <(grep -oE '(^|[^A-Za-z0-9_/.-])scenarios/[a-z]+/[A-Za-z0-9._-]+\.yaml' "$file" | sed 's/^[^s]*//' | sort -u)
	while IFS= read -r target; do
		grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" "$root/Makefile" || { echo "$file: make $target is no target"; bad=1; }
	done < <(grep -oE '`(make|\./setup\.sh && make) [a-z-]+' "$file" | sed 's/.*make //' | sort -u)
	return $bad
}

# `rcusim help COMMAND` against the manual's options and commands
check_man() {
	local man=$root/docs/man/rcusim.1 word bad=0
	sed 's/\\-/-/g; s/\\f[BIRP]//g' "$man" >"$work/man"
	{
		"$rcusim" help
		for word in run check list schema version; do
			"$rcusim" help "$word"
		done
	} >"$work/help" 2>&1 || { echo "rcusim help failed"; return 1; }
	for word in run check list schema version help; do
		grep -qE "^ *(rcusim )?$word( |\$)" "$work/help" || { echo "rcusim help lacks the command $word"; bad=1; }
	done
	while IFS= read -r word; do
		grep -qE -e "(^|[^a-z-])$word([^a-z-]|\$)" "$work/man" || { echo "$man lacks $word"; bad=1; }
	done < <(grep -oE -e '(^|[ ,])--?[a-z]([a-z-]*)' "$work/help" | sed 's/^[ ,]*//' | sort -u)
	while IFS= read -r word; do
		grep -qE -e "(^|[^a-z-])$word([^a-z-]|\$)" "$work/help" || { echo "$man: rcusim help lacks $word"; bad=1; }
	done < <(grep -E '^\.(B|BR|TP|BI)?' "$work/man" | grep -oE -e '(^|[ ,])--[a-z-]+' | sed 's/^[ ,]*//' | sort -u)
	if command -v mandoc >/dev/null 2>&1; then
		mandoc -Tlint -W warning "$man" || { echo "$man: mandoc complains"; bad=1; }
	fi
	return $bad
}

check_changelog() {
	grep -q '^## \[Unreleased\]' "$root/CHANGELOG.md" || { echo "CHANGELOG.md: no [Unreleased]"; return 1; }
}

check_readme; verdict $?
check_man; verdict $?
check_changelog; verdict $?
while IFS= read -r file; do
	check_links "$file"; verdict $?
done < <(find "$root" \( -name build -o -name .git \) -prune -o -name '*.md' -print | sort)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The rules of docs/architecture.md that a script can see in the sources:
#   includes   a layer includes only what it may use
#   exit       only sim/cli/ ends the process (rs_bug and rs_oom in base.c too)
#   functions  at most 80 lines, unless a comment above says
#              `long function: <reason>`
#   files      at most 700 lines
#   licence    an SPDX line on top
#   check_layers.sh [ROOT]
# Each file and rule is one test. Ends with `N passed, M failed`.
set -uo pipefail
cd "${1:-.}" || exit 2
function_max=80
file_max=700
passed=0 failed=0

# what each folder may include: shell patterns of repository paths, then of
# system headers that not everybody may use
allowed() { # FOLDER INCLUDE
	case $1:$2 in
	sim/engine:sim/engine/* | \
		models:models/* | models:sim/engine/* | \
		sim/scenario:sim/scenario/* | sim/scenario:sim/engine/* | \
		sim/scenario:models/config.h | sim/scenario:models/profile.h | sim/scenario:models/metrics.h | \
		sim/experiment:models/* | sim/experiment:sim/*/* | \
		output:output/* | output:models/results.h | output:models/metrics.h | output:models/profile.h | \
		output:sim/engine/base.h | output:sim/engine/stats.h | output:sim/engine/trace.h | output:sim/experiment/experiment.h | \
		output:sim/scenario/scenario.h | output:sim/scenario/params.h | output:sim/scenario/diag.h | \
		sim/cli:*)
		case $1:$2 in sim/experiment:sim/cli/*) return 1 ;; esac
		return 0
		;;
	esac
	return 1
}

allowed_system() { # FOLDER HEADER
	case $2 in
	yaml.h) [ "$1" = sim/scenario ] ;;
	gsl/*) [ "$1" = sim/engine ] || { [ "$1" = sim/cli ] && [ "$2" = gsl/gsl_errno.h ]; } ;;
	check.h) false ;;
	pthread.h) case $1 in sim/engine | models) false ;; esac ;;
	*) true ;;
	esac
}

# Prints a source without comments and the contents of strings, line by line.
bare() {
	awk '
	{
		out = ""; line = $0
		while (line != "") {
			if (in_comment) {
				at = index(line, "*/")
				if (!at) { line = ""; break }
				line = substr(line, at + 2); in_comment = 0
				continue
			}
			c = substr(line, 1, 1)
			if (substr(line, 1, 2) == "/*") { in_comment = 1; line = substr(line, 3); continue }
			if (substr(line, 1, 2) == "//") { line = ""; break }
			if (c == "\"" || c == "\047") {
				line = substr(line, 2)
				while (line != "" && substr(line, 1, 1) != c)
					line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
				line = substr(line, 2); out = out c c
				continue
			}
			out = out c; line = substr(line, 2)
		}
		print out
	}' "$1"
}

problem() {
	echo "$1"
	bad=1
}

check_file() {
	local file=$1 folder include found lines
	folder=$(dirname "$file")
	bad=0
	while IFS= read -r include; do
		allowed "$folder" "$include" || problem "$file: $folder/ may not include \"$include\""
	done < <(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file")
	while IFS= read -r include; do
		allowed_system "$folder" "$include" || problem "$file: $folder/ may not include <$include>"
	done < <(sed -n 's/^[ \t]*#[ \t]*include[ \t]*<\([^>]*\)>.*/\1/p' "$file")

	if [ "$folder" != sim/cli ] && [ "$file" != sim/engine/base.c ]; then
		while IFS= read -r found; do
			problem "$file:$found: only sim/cli/ may end the process"
		done < <(bare "$file" | grep -nE '(^|[^A-Za-z0-9_])(exit|_exit|_Exit|quick_exit|abort)[ ]*\(')
	fi
	house_rules "$file"
	count
}

# rules that hold for tests too
house_rules() {
	local file=$1 found lines
	while IFS= read -r found; do
		problem "$found"
	done < <(awk -v max=$function_max -v file="$file" '
		/long function: [^ ]/ { reason = 1 }
		/^\{/ { start = NR; name = previous }
		/^\}/ {
			if (start && NR - start + 1 > max && !reason)
				printf "%s:%d: function of %d lines (at most %d): %s\n", file, start, NR - start + 1, max, name
			start = 0; reason = 0
		}
		{ previous = $0 }' "$file")
	lines=$(wc -l <"$file")
	[ "$lines" -le $file_max ] || problem "$file: $lines lines (at most $file_max)"
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || problem "$file: no SPDX line on top"
}

count() {
	if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

for file in sim/*/*.[ch] models/*.[ch] output/*.[ch]; do
	[ -e "$file" ] && check_file "$file"
done
for file in tests/*/*.[ch] tests/*/*.sh setup.sh; do
	[ -e "$file" ] || continue
	bad=0
	house_rules "$file"
	count
done
# a source in any other folder would be built by nobody
while IFS= read -r file; do
	echo "$file: sources live in sim/*/, models/, output/ and tests/*/"
	failed=$((failed + 1))
done < <(find . \( -name build -o -name .git \) -prune -o -name '*.[ch]' -print | sed 's,^\./,,' |
	grep -vE '^(sim/(engine|scenario|experiment|cli)|models|output|tests/[a-z]+)/[^/]+$')

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# No globals: a run owns all its state, so that thousands can run side by
# side. Looks for writable data in the program's objects.
#   BUILD_DIR=build/release check_globals.sh
# tests/tools/globals.allow lists `object symbol reason` of the exceptions.
# Ends with `N passed, M failed`.
set -uo pipefail
build=${BUILD_DIR:?names the build folder}
allow=${GLOBALS_ALLOW:-tests/tools/globals.allow}
passed=0 failed=0

while IFS= read -r object; do
	name=${object#"$build"/obj/}
	name=${name%.o}
	bad=0
	# .data.rel.ro holds const tables of pointers: read-only once loaded;
	# names that begin with a dot or two underscores are the sanitizers'
	while IFS= read -r symbol; do
		grep -qE "^$name ${symbol%%.*} [^ ]" "$allow" 2>/dev/null && continue
		echo "$name.c: mutable global: $symbol"
		bad=1
	done < <(LC_ALL=C nm -f sysv "$object" 2>/dev/null | awk -F '|' '
		NF >= 7 {
			symbol = $1; section = $7
			gsub(/ /, "", symbol); gsub(/[ \t]/, "", section)
			if (symbol ~ /^(\.|__)/ || symbol == "") next
			if (section ~ /^\.data\.rel\.ro/) next
			if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/) print symbol
		}')
	if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done < <(find "$build/obj" -name '*.o' ! -path '*/obj/tests/*' 2>/dev/null | sort)

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `rcusim run` under valgrind: no invalid access, nothing leaked.
#   valgrind.sh RCUSIM
# Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${1:?names the program}
export DEBUGINFOD_URLS=
scenario=${SCENARIO:-scenarios/boot/kvm-2015.yaml}
passed=0 failed=0

clean() { # STATUS ARGS...
	local status=$1 rc=0
	shift
	valgrind -q --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
		--error-exitcode=97 "$rcusim" "$@" >/dev/null || rc=$?
	if [ "$rc" -eq "$status" ]; then
		passed=$((passed + 1))
	else
		echo "valgrind rcusim $*: exit status $rc, not $status"
		failed=$((failed + 1))
	fi
}

clean 0 run -n 3 -j 1 "$scenario"
clean 0 run -n 3 -j 2 --check --format json "$scenario"
clean 0 run -n 3 --format csv --set machine.cpus=4 "$scenario"
clean 0 check "$scenario"
clean 0 schema
clean 2 run --no-such-option
clean 66 run no-such-file.yaml
for bad in tests/data/bad/*.yaml; do
	if [ -e "$bad" ] && [ "$(wc -c <"$bad")" -lt 10000 ]; then
		clean 65 check "$bad" 2>/dev/null
	fi
done
if [ -n "${RCUSIM_TOTALS:-}" ]; then
	echo "$passed $failed" >>"$RCUSIM_TOTALS"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]

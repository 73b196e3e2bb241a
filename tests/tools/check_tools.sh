#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The checks can fail: each gets an input with one planted fault and must
# report it, and the same input without the fault and must not.
# Ends with `N passed, M failed`.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset UPDATE RCUSIM_TOTALS
passed=0 failed=0
spdx='/* SPDX-License-Identifier: GPL-3.0-or-later */'

# expect WHAT TEXT STATUS COMMAND...: COMMAND ends with STATUS (0 or not) and prints TEXT
expect() {
	local what=$1 text=$2 status=$3 rc=0
	shift 3
	"$@" >"$work/out" 2>&1 || rc=$?
	[ "$rc" -eq 0 ] || rc=1
	if [ "$rc" -eq "$status" ] && grep -qF -e "$text" "$work/out"; then
		passed=$((passed + 1))
	else
		echo "FAIL $what: status $rc (wanted $status), output lacks '$text' or not:"
		head -n 20 "$work/out" | sed 's/^/  | /'
		failed=$((failed + 1))
	fi
}

# tree FILE TEXT: an otherwise clean source tree that holds FILE
tree() {
	rm -rf "$work/tree"
	mkdir -p "$work"/tree/{sim/{engine,scenario,experiment,cli},models,output,tests/unit}
	printf '%s\nint clean(void);\n' "$spdx" >"$work/tree/sim/engine/clean.h"
	mkdir -p "$(dirname "$work/tree/$1")"
	printf '%b' "$2" >"$work/tree/$1"
}

layers() { "$here/check_layers.sh" "$work/tree"; }

tree sim/engine/a.c "$spdx\n#include \"sim/engine/clean.h\"\n#include <stdlib.h>\n/* exit(1) in a comment */\nconst char *a = \"exit(1)\";\n"
expect "clean tree" "2 passed, 0 failed" 0 layers
refused() { # FILE INCLUDE
	tree "$1" "$spdx\n#include $2\n"
	expect "$1 includes $2" "$1: $(dirname "$1")/ may not include $2" 1 layers
}
accepted() { # FILE INCLUDE
	tree "$1" "$spdx\n#include $2\n"
	expect "$1 includes $2" "2 passed, 0 failed" 0 layers
}
refused sim/engine/a.c '"models/config.h"'
refused sim/engine/a.h '"sim/scenario/diag.h"'
refused sim/engine/a.c '<yaml.h>'
refused models/a.c '"sim/scenario/scenario.h"'
refused models/a.c '"output/table.h"'
refused models/a.c '<gsl/gsl_randist.h>'
refused models/a.c '<pthread.h>'
refused sim/scenario/a.c '"models/model.h"'
refused sim/scenario/a.c '"sim/experiment/experiment.h"'
refused sim/experiment/a.c '"output/json.h"'
refused sim/experiment/a.c '"sim/cli/cli.h"'
refused output/a.c '"models/config.h"'
refused output/a.c '"models/model.h"'
refused output/a.c '"sim/engine/engine.h"'
refused output/a.c '"sim/cli/cli.h"'
refused output/a.c '<check.h>'
accepted sim/engine/a.c '<gsl/gsl_randist.h>'
accepted models/a.c '"sim/engine/engine.h"'
accepted sim/scenario/a.c '"models/config.h"'
accepted sim/scenario/a.c '<yaml.h>'
accepted sim/experiment/a.c '"models/model.h"'
accepted output/a.c '"models/results.h"'
accepted sim/cli/a.c '"output/a.h"'

tree models/a.c "$spdx\nvoid f(void)\n{\n\texit(1);\n}\n"
expect "exit in models" "models/a.c:4:	exit(1);: only sim/cli/ may end the process" 1 layers
tree output/a.c "$spdx\nvoid f(void)\n{\n\tif (x)\n\t\tabort();\n}\n"
expect "abort in output" "only sim/cli/ may end the process" 1 layers
tree sim/cli/a.c "$spdx\nvoid f(void)\n{\n\texit(1);\n}\n"
expect "exit in cli" "2 passed, 0 failed" 0 layers

body=$(printf '\\tx++;\\n%.0s' $(seq 79))
tree models/a.c "$spdx\nvoid f(void)\n{\n$body}\n"
expect "function of 81 lines" "function of 81 lines (at most 80): void f(void)" 1 layers
tree models/a.c "$spdx\n/* long function: one table in disguise */\nvoid f(void)\n{\n$body}\n"
expect "function of 81 lines with a reason" "2 passed, 0 failed" 0 layers
tree models/a.c "$spdx\n/* long function: one */\nvoid f(void)\n{\n$body}\n\nvoid g(void)\n{\n$body}\n"
expect "a reason serves one function" "void g(void)" 1 layers
tree models/a.c "$spdx\nvoid f(void)\n{\n${body#????????}}\n"
expect "function of 80 lines" "2 passed, 0 failed" 0 layers
tree tests/unit/check_a.c "$spdx\n$(printf '\\n%.0s' $(seq 700))"
expect "file of 701 lines" "701 lines (at most 700)" 1 layers
tree models/a.c "int a;\n"
expect "no licence line" "models/a.c: no SPDX line on top" 1 layers
tree models/sub/a.c "$spdx\n"
expect "source in a folder nobody builds" "models/sub/a.c: sources live in" 1 layers

# sources.mk and the tree
sources() { "$here/check_sources.sh" "$work/listed"; }
mkdir -p "$work"/listed/{sim/engine,models,output,scenarios/boot}
touch "$work"/listed/{sim/engine/a.c,sim/engine/b.c,sim/engine/a.h,scenarios/boot/a.yaml}
listed() { # SRC...
	{
		printf 'SRC := \\\n'
		printf '\t%s \\\n' "$@" | sed '$s/ \\$//'
		printf '\nHEADERS := \\\n\tsim/engine/a.h\n\nSCENARIOS := \\\n\tscenarios/boot/a.yaml\n'
	} >"$work/listed/sources.mk"
}
listed sim/engine/a.c sim/engine/b.c
expect "sources: listed" "3 passed, 0 failed" 0 sources
listed sim/engine/a.c
expect "sources: one is not listed" "sim/engine/b.c: not in SRC" 1 sources
listed sim/engine/a.c sim/engine/b.c sim/engine/c.c
expect "sources: one is gone" "names sim/engine/c.c, which does not exist" 1 sources
listed sim/engine/b.c sim/engine/a.c
expect "sources: out of order" "SRC is not sorted: sim/engine/a.c" 1 sources
listed sim/engine/a.c sim/engine/b.c
touch "$work/listed/models/a.h"
expect "sources: a header is not listed" "models/a.h: not in HEADERS" 1 sources
mv "$work/listed/models/a.h" "$work/listed/scenarios/boot/b.yaml"
expect "sources: a scenario is not listed" "scenarios/boot/b.yaml: not in SCENARIOS" 1 sources

# globals
globals() { BUILD_DIR=$work/build GLOBALS_ALLOW=$work/allow "$here/check_globals.sh"; }
object() { # C TEXT
	mkdir -p "$work/build/obj/models"
	printf '%s\n' "$1" | "${CC:-gcc}" -O2 -fPIE -x c -c -o "$work/build/obj/models/a.o" -
}
: >"$work/allow"
object 'static const char *const names[] = {"a", "b"}; const char *f(int i) { return names[i]; } const int two = 2;'
expect "const tables" "1 passed, 0 failed" 0 globals
object 'int counter = 1; int f(void) { return counter++; }'
expect "initialised global" "models/a.c: mutable global: counter" 1 globals
object 'int f(void) { static int calls; return ++calls; }'
expect "static in a function" "models/a.c: mutable global: calls" 1 globals
object '_Thread_local int depth; int f(void) { return ++depth; }'
expect "thread-local" "models/a.c: mutable global: depth" 1 globals
object 'int counter = 1;'
echo "models/a counter set by a signal handler" >"$work/allow"
expect "allowed global" "1 passed, 0 failed" 0 globals
echo "models/a counter " >"$work/allow"
expect "allowed without a reason" "mutable global: counter" 1 globals

# headers
headers() { (cd "$work" && "$here/check_headers.sh" "${CC:-gcc} -I. -Wall -Werror" a.h); }
printf '#ifndef A_H\n#define A_H\n#include <stdint.h>\nuint32_t f(void);\n#endif\n' >"$work/a.h"
expect "header alone" "1 passed, 0 failed" 0 headers
printf '#ifndef A_H\n#define A_H\nuint32_t f(void);\n#endif\n' >"$work/a.h"
expect "header that needs another" "a.h: does not compile alone" 1 headers
printf '#include <stdint.h>\nstruct a { int x; };\n' >"$work/a.h"
expect "header without guard" "a.h: does not compile alone" 1 headers

# command-line runner: a program that prints its arguments and fails on demand
cat >"$work/program" <<'SH'
#!/bin/sh
case $* in
*bad*.yaml) echo "bad.yaml:1:1: error: no such key" >&2; exit "${BAD_STATUS:-65}" ;;
esac
echo "ran $*"
[ -z "${NOISE:-}" ] || echo noise >&2
exit "${STATUS:-0}"
SH
chmod +x "$work/program"
cli() { (cd "$work" && RCUSIM=$work/program CLI_CASES=cases CLI_BAD=bad "$tests/cli/run.sh"); }
mkdir -p "$work/cases/one" "$work/bad"
# shellcheck disable=SC2016 # the test expands it
echo '"$RCUSIM" a b' >"$work/cases/one/cmd"
echo 'ran a b' >"$work/cases/one/stdout.exact"
expect "cli: same output" "1 passed, 0 failed" 0 cli
NOISE=1 expect "cli: unexpected stderr" "unexpected stderr" 1 cli
export STATUS=3
expect "cli: other status" "exit status 3, not 0" 1 cli
echo 3 >"$work/cases/one/exit"
expect "cli: expected status" "1 passed, 0 failed" 0 cli
unset STATUS
rm "$work/cases/one/exit"
echo 'ran a c' >"$work/cases/one/stdout.exact"
expect "cli: other output" "stdout differs" 1 cli
echo 'ran ? b' >"$work/cases/one/stdout.glob"
expect "cli: pattern" "1 passed, 0 failed" 0 cli
echo 'ran ?? b' >"$work/cases/one/stdout.glob"
expect "cli: pattern that does not match" "stdout does not match" 1 cli
printf '...\nran a b\n...\n' >"$work/cases/one/stdout.glob"
expect "cli: pattern for any lines" "1 passed, 0 failed" 0 cli
printf '...\nran a b\nmore\n' >"$work/cases/one/stdout.glob"
expect "cli: a line is missing" "stdout does not match" 1 cli
rm "$work/cases/one/stdout.glob"
echo 'ran a b' >"$work/cases/one/stdout.exact"
echo 'x: 1' >"$work/bad/bad.yaml"
expect "cli: broken file without expectation" "no .expect beside it" 1 cli
echo 'no such key' >"$work/bad/bad.expect"
expect "cli: broken file" "2 passed, 0 failed" 0 cli
echo 'no such value' >"$work/bad/bad.expect"
expect "cli: other message" "stderr lacks: no such value" 1 cli
echo 'no such key' >"$work/bad/bad.expect"
BAD_STATUS=1 expect "cli: other status for a broken file" "exit status 1, not 65" 1 cli
rm -f "$work"/bad/*
echo 'echo broken' >"$work/bad/bad.gen"
echo 'no such key' >"$work/bad/bad.expect"
expect "cli: generated broken file" "2 passed, 0 failed" 0 cli

# the summing runner
script() { # NAME TEXT
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}
sum() { "$here/run_checks.sh" -b "$work" -s "extra=$work/extra" "$work/check_a"; }
script check_a 'echo "100%: Checks: 4, Failures: 0, Errors: 0"'
script extra 'echo "3 passed, 0 failed"'
expect "sum" "7 passed, 0 failed" 0 sum
script extra 'echo "3 passed, 2 failed"; exit 1'
expect "sum with failures" "7 passed, 2 failed" 1 sum
script extra 'echo "3 passed, 0 failed"; exit 1'
expect "failure that its totals hide" "7 passed, 1 failed" 1 sum
script extra 'echo hello'
expect "no totals" "4 passed, 1 failed" 1 sum
script extra 'echo "3 passed, 0 failed"'
script check_a 'kill -SEGV $$'
expect "binary that dies" "3 passed, 1 failed" 1 sum
script check_a 'echo "50%: Checks: 4, Failures: 1, Errors: 1"; exit 1'
expect "binary with failures" "5 passed, 2 failed" 1 sum

# golden files and determinism: a program whose output depends on its threads
cat >"$work/rcusim" <<'SH'
#!/bin/sh
jobs=1
while [ $# -gt 1 ]; do
	case $1 in -j) jobs=$2 ;; -j?) jobs=${1#-j} ;; esac
	shift
done
echo "boot_time_ns,${VALUE:-1}"
[ -z "${RACY:-}" ] || echo "jobs,$jobs"
SH
chmod +x "$work/rcusim"
mkdir -p "$work/scenarios/boot" "$work/golden"
echo 'a: 1' >"$work/scenarios/boot/a.yaml"
golden() {
	RCUSIM=$work/rcusim GOLDEN_SCENARIOS=$work/scenarios GOLDEN_DIR=$work/golden "$here/golden.sh"
}
expect "golden: none yet" "make golden UPDATE=1 writes it" 1 golden
UPDATE=1 expect "golden: written" "1 passed, 0 failed" 0 golden
expect "golden: same" "1 passed, 0 failed" 0 golden
export VALUE=2
expect "golden: changed" "differs from" 1 golden
unset VALUE
export RACY=1
expect "golden: depends on threads" "-j 1 and -j 2 differ" 1 golden
expect "determinism: depends on threads" "differs from" 1 "$here/determinism.sh" "$work"
unset RACY
expect "determinism" "2 passed, 0 failed" 0 "$here/determinism.sh" "$work"
rm "$work/scenarios/boot/a.yaml"
expect "golden: scenario gone" "its scenario is gone" 1 golden

# shellcheck source=tests/tools/check_wrappers.sh
. "$here/check_wrappers.sh"
# shellcheck source=tests/tools/check_mutants.sh
. "$here/check_mutants.sh"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

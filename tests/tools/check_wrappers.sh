# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read by check_tools.sh: what calls analysers, valgrind, the fuzzer and the
# documentation's checks must pass on what they find. Stand-ins for the tools
# find `planted for TOOL`; the tools themselves, where they are installed,
# find one true fault each.
: "${work:?is set by check_tools.sh}" "${here:?}" "${spdx:?}"

stub() { # TOOL
	cat >"$work/stubs/$1" <<-SH
		#!/bin/sh
		for path; do
			grep -rs 'planted for $1' "\$path" && exit 1
		done
		exit 0
	SH
	chmod +x "$work/stubs/$1"
}

lint_tree() {
	rm -rf "$work/lint" "$work/stubs"
	mkdir -p "$work"/lint/{.ci,sim/engine,tests/tools,tests/unit,scenarios} "$work/stubs"
	cp "$here"/{lint,check_layers,check_headers}.sh "$work/lint/tests/tools/"
	cp "$here/../../.clang-tidy" "$work/lint/"
	printf '%s\nint twice(int a);\n' "$spdx" >"$work/lint/sim/engine/a.h"
	printf '%s\n#include "sim/engine/a.h"\nint twice(int a)\n{\n\treturn 2 * a;\n}\n' "$spdx" >"$work/lint/sim/engine/a.c"
	printf '%s\nint t(void);\n' "$spdx" >"$work/lint/tests/unit/t.c"
	echo '# SPDX-License-Identifier: GPL-3.0-or-later' | tee "$work/lint/setup.sh" >"$work/lint/.ci/run"
	echo 'a: 1' >"$work/lint/scenarios/a.yaml"
	local tool
	for tool in clang-tidy cppcheck shellcheck yamllint; do stub $tool; done
}

lint() {
	(cd "$work/lint" && PATH=$work/stubs:$PATH tests/tools/lint.sh -f '-std=c17 -I. -Werror' \
		sim/engine/a.c -- tests/unit/t.c -- sim/engine/a.h)
}

planted() { # TOOL FILE TEXT
	lint_tree
	printf '%b\n' "$3" >>"$work/lint/$2"
	expect "lint: $1 finds something in $2" "$(printf '%-12s FAILED' "$1")" 1 lint
	cp "$work/out" "$work/planted"
	expect "lint: and nobody else does" "5 passed, 1 failed" 0 cat "$work/planted"
}

lint_tree
expect "lint: clean" "6 passed, 0 failed" 0 lint
planted clang-tidy sim/engine/a.c '/* planted for clang-tidy */'
planted clang-tidy tests/unit/t.c '/* planted for clang-tidy */'
planted cppcheck sim/engine/a.c '/* planted for cppcheck */'
planted shellcheck .ci/run '# planted for shellcheck'
planted yamllint scenarios/a.yaml '# planted for yamllint'
planted layers sim/engine/a.c '#include <yaml.h>'
planted headers sim/engine/a.h 'uint32_t needs_stdint(void);'
if command -v clang-tidy >/dev/null; then
	lint_tree
	rm "$work/stubs/clang-tidy"
	expect "lint: clean for clang-tidy" "6 passed, 0 failed" 0 lint
	echo 'static inline int same(int a) { return a == a; }' >>"$work/lint/sim/engine/a.h"
	expect "lint: clang-tidy looks at headers" "misc-redundant-expression" 1 lint
fi
if command -v cppcheck >/dev/null; then
	lint_tree
	rm "$work/stubs/cppcheck"
	echo 'int past(void); int past(void) { int a[2] = {0, 0}; return a[2]; }' >>"$work/lint/sim/engine/a.c"
	expect "lint: cppcheck" "arrayIndexOutOfBounds" 1 lint
fi

# valgrind: a program with the statuses of rcusim, which leaks on demand
cat >"$work/leaky.c" <<'C'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	volatile char *leak = getenv("LEAK") ? malloc(10) : NULL;

	leak = NULL;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--no-such-option") == 0)
			return 2;
		if (strcmp(argv[i], "no-such-file.yaml") == 0)
			return 66;
	}
	return leak ? 1 : 0;
}
C
"${CC:-gcc}" -O0 -o "$work/leaky" "$work/leaky.c"
cat >"$work/stubs/valgrind" <<'SH'
#!/bin/sh
while :; do case $1 in -*) shift ;; *) break ;; esac; done
[ -z "${LEAK:-}" ] || exit 97
exec "$@"
SH
chmod +x "$work/stubs/valgrind"
valgrind_wrapper() { (cd "$work" && PATH=$1:$PATH "$here/valgrind.sh" "$work/leaky"); }
expect "valgrind: clean" "7 passed, 0 failed" 0 valgrind_wrapper "$work/stubs"
LEAK=1 expect "valgrind: a leak" "exit status 97, not 0" 1 valgrind_wrapper "$work/stubs"
if command -v valgrind >/dev/null; then
	LEAK=1 expect "valgrind: itself finds a leak" "exit status 97, not 0" 1 valgrind_wrapper /
fi

# fuzz: what a target's status and last lines say
mkdir -p "$work/fuzz"
cat >"$work/fuzz/fuzz_a" <<'SH'
#!/bin/sh
[ -z "${CRASH:-}" ] || { echo "SUMMARY: heap-buffer-overflow"; exit 77; }
echo "stat::number_of_executed_units: ${INPUTS:-123}"
SH
chmod +x "$work/fuzz/fuzz_a"
fuzz() { (cd "$work" && "$here/fuzz.sh" 1 "$work/fuzz/fuzz_a"); }
expect "fuzz: nothing found" "a: 123 inputs in 1 s, nothing found" 0 fuzz
CRASH=1 expect "fuzz: a crash" "SUMMARY: heap-buffer-overflow" 1 fuzz
INPUTS=0 expect "fuzz: no input" "a: ran no input" 1 fuzz

# documentation: a program with two options
cat >"$work/documented" <<'SH'
#!/bin/sh
case $*:$# in
help:1) printf 'usage: rcusim run FILE\n  run\n  check\n  list\n  schema\n  version\n  help\n' ;;
help*) printf 'usage: rcusim %s\n  -n, --replications N  how often\n  --check  watch\n' "$2" ;;
*) echo "boots: ${BOOTS:-3}" ;;
esac
SH
chmod +x "$work/documented"
docs() { RCUSIM=$work/documented DOCS_ROOT=$work/docs "$here/check_docs.sh"; }
docs_tree() {
	rm -rf "$work/docs"
	mkdir -p "$work/docs/docs/man" "$work/docs/scenarios/boot"
	touch "$work/docs/scenarios/boot/a.yaml"
	# shellcheck disable=SC2016 # as it stands in the text
	printf '<!-- output: rcusim run a -->\n```\nboots: 3\n```\n[man](docs/man/rcusim.1), `make check`, scenarios/boot/a.yaml\n' \
		>"$work/docs/README.md"
	printf '# Changelog\n\n## [Unreleased]\n' >"$work/docs/CHANGELOG.md"
	printf 'check: all ## tests\n' >"$work/docs/Makefile"
	printf '%s\n' '.TH RCUSIM 1 2026-12-01 rcusim "User Commands"' '.SH NAME' 'rcusim \- simulate' '.SH OPTIONS' \
		'.TP' '.BR \-n ", " \-\-replications " \fIN\fR"' 'How often.' '.TP' '.B \-\-check' 'Watch.' \
		>"$work/docs/docs/man/rcusim.1"
}
docs_tree
expect "docs: true" "5 passed, 0 failed" 0 docs
BOOTS=4 expect "docs: other output than in the README" "README.md: shows other output" 1 docs
BOOTS=4 UPDATE=1 expect "docs: README rewritten" "5 passed, 0 failed" 0 docs
BOOTS=4 expect "docs: README true again" "5 passed, 0 failed" 0 docs
docs_tree
sed -i '/check/d' "$work/docs/docs/man/rcusim.1"
expect "docs: the manual lacks an option" "lacks --check" 1 docs
docs_tree
printf '.TP\n.B \\-\\-quiet\nSay nothing.\n' >>"$work/docs/docs/man/rcusim.1"
expect "docs: the manual has an option of its own" "rcusim help lacks --quiet" 1 docs
docs_tree
rm "$work/docs/scenarios/boot/a.yaml"
expect "docs: a scenario is gone" "names scenarios/boot/a.yaml, which does not exist" 1 docs
docs_tree
echo '[gone](docs/gone.md)' >>"$work/docs/CHANGELOG.md"
expect "docs: a link leads nowhere" "link to docs/gone.md, which does not exist" 1 docs
docs_tree
# shellcheck disable=SC2016 # as it stands in the text
echo '`make gone`' >>"$work/docs/README.md"
expect "docs: a target is gone" "make gone is no target" 1 docs
docs_tree
echo '# Changelog' >"$work/docs/CHANGELOG.md"
expect "docs: nothing unreleased" "CHANGELOG.md: no [Unreleased]" 1 docs

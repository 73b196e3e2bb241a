# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read by check_tools.sh: what runs broken models and shuffled ties must see
# survivors, changed code and changed verdicts.
: "${work:?is set by check_tools.sh}" "${here:?}"

# ties: a program whose verdict depends on them on demand
cat >"$work/rcusim" <<'SH'
#!/bin/sh
a=1000 b=900
case $* in *--shuffle-ties*) a=${SHUFFLED_A:-1000} b=${SHUFFLED_B:-900} ;; esac
[ "${BROKEN:-}" != 1 ] || { echo "violation" >&2; exit 1; }
echo scenario,cell,variant,replication,metric,unit,value
echo "a,,one,0,boot_time_ns,ns,$a"
echo "a,,two,0,boot_time_ns,ns,$b"
SH
echo 'a: 1' >"$work/scenarios/boot/a.yaml"
ties() { RCUSIM=$work/rcusim TIES_SCENARIOS=$work/scenarios "$here/ties.sh"; }
expect "ties: same" "1 passed, 0 failed" 0 ties
SHUFFLED_A=1003 expect "ties: within half a per cent" "1 passed, 0 failed" 0 ties
SHUFFLED_A=1006 expect "ties: other time" "one: 1000 ns became 1006 ns" 1 ties
SHUFFLED_A=900 SHUFFLED_B=1000 expect "ties: other order" "order of variants changed" 1 ties
BROKEN=1 expect "ties: no result" "results are missing" 1 ties

# mutants: a library of one function, of which torture and a test see one fault each
mkdir -p "$work"/m/{build/x/obj/tests/model,mutants}
cat >"$work/m/a.c" <<'C'
int f(int x);
int f(int x)
{
	if (x > 3)
		return 1;
	if (x < 0)
		return 2;
	return 0;
}
C
cat >"$work/m/torture.c" <<'C'
#include <stdio.h>
int f(int x);
int main(void)
{
	printf("9 runs, none\n");
	if (f(3))
		printf("run 8 (a machine): condition 7, at 3 ns\n");
	return f(3) != 0;
}
C
cat >"$work/m/check_f.c" <<'C'
#include <stdio.h>
int f(int x);
int main(void)
{
	if (f(-1) != 2)
		printf("a.c:3:F:case:minus_one_is_two:0: failed\n");
	return f(-1) != 2;
}
C
(
	cd "$work/m" || exit
	for name in torture check_f; do "${CC:-gcc}" -c -o "build/x/obj/tests/model/$name.o" "$name.c"; done
	"${CC:-gcc}" -c -o a.o a.c && ar rcs build/x/librcusim.a a.o && ar rcs build/x/libtests.a
)
mutants() { (cd "$work/m" && "$here/mutants.sh" -b build/x -c "${CC:-gcc}" -l "${CC:-gcc}" -d mutants "$@"); }
mutant() { # NAME BY OLD NEW
	printf 'what: x\nfile: a.c\nby: %s\n--- old\n%b\n--- new\n%b\n' "$2" "$3" "$4" >"$work/m/mutants/$1.mut"
}
mutant a 'condition 7' '\tif (x > 3)' '\tif (x > 2)'
expect "mutant: caught by torture" "caught   by condition 7, random run 9" 0 mutants
expect "mutant: count" "1 of 1 caught" 0 mutants
mutant b check_f '\t\treturn 2;' '\t\treturn 3;'
expect "mutant: caught by a test" "caught   by check_f: minus_one_is_two" 0 mutants b
expect "mutants: count" "2 of 2 caught" 0 mutants
mutant b 'condition 7' '\t\treturn 2;' '\t\treturn 3;'
expect "mutant: survives torture" "survived by 9 random runs" 1 mutants
expect "mutants: survivor counts" "1 of 2 caught" 1 mutants
mutant b check_f '\tif (x > 3)' '\tif (x > 2)'
expect "mutant: survives its test" "survived by check_f passes" 1 mutants
mutant b check_f '\tif (x > 4)' '\tif (x > 2)'
expect "mutant: code has changed" "old text 1 does not stand in a.c" 1 mutants
mutant b check_f '\t\treturn 1;\n--- new\n\t\treturn 1;\n--- old\n\tif (x > 3)' '\tif (x > 2)'
expect "mutant: second of two changes" "survived by check_f passes" 1 mutants
printf '\tif (x > 3)\n' >>"$work/m/a.c"
expect "mutant: ambiguous" "stands more than once in a.c" 1 mutants a
mutant b check_f '\t\treturn 2;' '\t\treturn;;('
expect "mutant: does not compile" "does not compile" 1 mutants b
echo 'file: a.c' >"$work/m/mutants/b.mut"
expect "mutant: not one" "not a mutant" 1 mutants b
rm "$work"/m/mutants/*
expect "mutants: none" "no mutants in" 1 mutants

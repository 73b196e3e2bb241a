#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Breaks the model on purpose, once for each file of tests/mutants/, and shows
# what notices: the oracle in random runs, or the test that the file names.
#   mutants.sh -b BUILD -c 'COMPILE' -l 'LINK' -L 'LIBRARIES' [-j JOBS] [-n RUNS] [-d DIR] [NAME...]
# COMPILE and LINK are the compiler with its flags. One line a mutant and at
# the end `N of M caught`. Status 0: all were caught; 1: one survived, or its
# old text does not stand exactly once in its file, or it does not compile.
set -uo pipefail
build="" compile="" link="" libs="" jobs=2 runs=30000 mutants=tests/mutants
while getopts b:c:l:L:j:n:d: opt; do
	case $opt in
	b) build=$OPTARG ;;
	c) compile=$OPTARG ;;
	l) link=$OPTARG ;;
	L) libs=$OPTARG ;;
	j) jobs=$OPTARG ;;
	n) runs=$OPTARG ;;
	d) mutants=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ -z "$build" ] || [ -z "$compile" ] || [ -z "$link" ]; then
	echo "mutants.sh: -b, -c and -l are needed" >&2
	exit 2
fi
export build compile link libs runs mutants
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-60}

# Sets what, file, by, old, new from a mutant's file.
# shellcheck disable=SC2317,SC2034 # called by the shells that xargs starts
read_mutant() {
	local line part="" i=-1
	what='' file='' by='' old=() new=()
	while IFS= read -r line || [ -n "$line" ]; do
		case $part:$line in
		*:'--- old') part=old i=$((i + 1)) old[i]='' new[i]='' ;;
		*:'--- new') part=new ;;
		old:*) old[i]+=$line$'\n' ;;
		new:*) new[i]+=$line$'\n' ;;
		:'what: '*) what=${line#what: } ;;
		:'file: '*) file=${line#file: } ;;
		:'by: '*) by=${line#by: } ;;
		esac
	done <"$1"
	[ -n "$what" ] && [ -f "$file" ] && [ -n "$by" ] && [ $i -ge 0 ]
}

# Replaces each old by its new in text; each stands there exactly once.
# shellcheck disable=SC2317
apply_mutant() {
	local i rest
	text=$(cat "$file" && echo x)
	text=${text%x}
	for i in "${!old[@]}"; do
		rest=${text#*"${old[i]}"}
		if [ "$rest" = "$text" ]; then
			printf 'broken\told text %d does not stand in %s\n' $((i + 1)) "$file"
			return 1
		elif [ "${rest#*"${old[i]}"}" != "$rest" ]; then
			printf 'broken\told text %d stands more than once in %s\n' $((i + 1)) "$file"
			return 1
		fi
		text=${text%"${old[i]}$rest"}${new[i]}$rest
	done
}

# shellcheck disable=SC2317
link_with() { # DIR PROGRAM OBJECT...: the mutant's object stands before the archive that has the sound one
	local dir=$1 program=$2
	shift 2
	# shellcheck disable=SC2086 # several words each
	$link -o "$dir/$program" "$dir/mutant.o" "$@" "$build/libtests.a" "$build/librcusim.a" $libs
}

# shellcheck disable=SC2317
try_mutant() { # NAME; prints "verdict<TAB>text"
	local name=$1 dir text rest where
	dir=$(dirname "$build")/mutants/$name
	read_mutant "$mutants/$name.mut" || { printf 'broken\tnot a mutant: needs what:, file:, by:, --- old, --- new\n'; return; }
	apply_mutant || return
	mkdir -p "$dir"
	printf '%s' "$text" >"$dir/mutant.c"
	# shellcheck disable=SC2086
	if ! $compile -w -c -o "$dir/mutant.o" "$dir/mutant.c" >"$dir/log" 2>&1; then
		printf 'broken\tdoes not compile, see %s\n' "$dir/log"
		return
	fi
	case $by in
	check_*)
		where=$(echo "$build"/obj/tests/*/"$by.o")
		link_with "$dir" "$by" "$where" >>"$dir/log" 2>&1 || { printf 'broken\tdoes not link\n'; return; }
		if timeout 300 "$dir/$by" >>"$dir/log" 2>&1; then
			printf 'survived\t%s passes\n' "$by"
		else
			where=$(sed -n 's/^[^ ]*:[0-9]*:[FE]:[^:]*:\([^:]*\):.*/\1/p' "$dir/log" | head -n 1)
			printf 'caught\t%s: %s\n' "$by" "${where:-dies}"
		fi
		;;
	*)
		link_with "$dir" torture "$build/obj/tests/model/torture.o" >>"$dir/log" 2>&1 || { printf 'broken\tdoes not link\n'; return; }
		"$dir/torture" -n "$runs" -t 240 -j 1 -m 0 >>"$dir/log" 2>&1
		where=$(sed -n 's/^run [0-9]* ([^)]*): \([^,]*\).*/\1/p' "$dir/log" | tail -n 1)
		rest=$(sed -n 's/^\([0-9]*\) runs, .*/\1/p' "$dir/log" | tail -n 1)
		if [ -z "$where" ]; then
			printf 'survived\t%s random runs\n' "${rest:-no}"
		elif [ "$where" = "$by" ]; then
			printf 'caught\t%s, random run %s\n' "$where" "$rest"
		else
			printf 'caught\t%s, random run %s (expected: %s)\n' "$where" "$rest" "$by"
		fi
		;;
	esac
}

# shellcheck disable=SC2317
report_mutant() {
	local name=$1 verdict text
	IFS=$'\t' read -r verdict text < <(try_mutant "$name")
	read_mutant "$mutants/$name.mut"
	printf '%-34s %-8s by %s\n' "$name" "$verdict" "$text"
}
export -f read_mutant apply_mutant link_with try_mutant report_mutant

if [ $# -eq 0 ]; then
	for file in "$mutants"/*.mut; do
		[ -e "$file" ] && set -- "$@" "$(basename "$file" .mut)"
	done
fi
[ $# -gt 0 ] || { echo "mutants.sh: no mutants in $mutants" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" bash -c 'report_mutant "$1"' report_mutant | tee "$log"
caught=$(grep -c ' caught  *by ' "$log")
echo "$caught of $# caught"
[ "$caught" -eq $# ]

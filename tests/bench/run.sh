#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Instructions for each event, and for each replication of kvm-2015:
#   run.sh BUILD-FOLDER [RCUSIM]
# Each row runs twice under callgrind, k and 2k units long; the difference over
# k is free of start-up, and of other load on the machine. Builds nothing.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: $0 BUILD-FOLDER [RCUSIM]" >&2
	exit 2
fi
folder=$1/tests/bench
rcusim=${2:-${RCUSIM:-}}
scenario=${SCENARIO:-scenarios/boot/kvm-2015.yaml}

if ! command -v valgrind >/dev/null; then
	echo "$0: valgrind is not installed (Debian, Ubuntu: apt install valgrind)" >&2
	exit 1
fi
for name in bench_hold bench_mm1; do
	if [ ! -x "$folder/$name" ]; then
		echo "$0: $folder/$name is missing: run make bench" >&2
		exit 1
	fi
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# instructions COMMAND...: instructions the command takes
instructions() {
	if ! valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" >"$log" 2>&1; then
		echo "$0: failed under valgrind: $*" >&2
		tail -n 5 "$log" >&2
		return 1
	fi
	awk '/Collected/ { n = $4 } END { if (n == "") exit 1; print n }' "$log"
}

# difference UNITS COMMAND...: instructions a unit; @ in the command is the length
difference() {
	local units=$1 short long
	shift
	short=$(instructions "${@//@/$units}")
	long=$(instructions "${@//@/$((2 * units))}")
	echo $(((long - short + units / 2) / units))
}

# bytes KIND: bytes of the arena for each pending event, difference of two sizes
bytes() {
	local few many
	few=$("$folder/bench_hold" 1000 1000 "$1" | sed 's/.* pending, \([0-9]*\) bytes.*/\1/')
	many=$("$folder/bench_hold" 101000 1000 "$1" | sed 's/.* pending, \([0-9]*\) bytes.*/\1/')
	awk -v few="$few" -v many="$many" 'BEGIN { printf "%.1f", (many - few) / 100000 }'
}

row() {
	local verdict=''
	if [ "$3" != - ]; then
		if [ "$2" -le "$3" ]; then verdict=ok; else verdict='above target'; fi
	fi
	printf '%-44s %12s %8s  %s\n' "$1" "$2" "$3" "$verdict"
}

printf '%-44s %12s %8s\n' 'cost' 'instructions' 'target'
while read -r kind pending target events; do
	count=$(difference "$events" "$folder/bench_hold" "$pending" @ "$kind")
	row "hold, $pending pending, $kind: an event" "$count" "$target"
done <<'ROWS'
heap 10 160 200000
heap 1000 300 200000
heap 100000 - 200000
lane 10 60 200000
lane 1000 60 200000
lane 100000 60 400000
lane-ms 10 60 200000
lane-ms 1000 60 200000
lane-ms 100000 60 400000
ROWS
count=$(difference 100000 "$folder/bench_mm1" @)
row 'M/M/1 with patience: a customer' "$count" 500
# The target is 32 bytes and a handle record, which takes 8 and which lanes do without.
printf '%-44s %12s %8s\n' 'memory' 'bytes' 'target'
printf '%-44s %12s %8s\n' 'a pending event and its handle record, heap' "$(bytes heap)" 40 \
	'a pending event, lane' "$(bytes lane)" 33

if [ -z "$rcusim" ] || [ ! -x "$rcusim" ]; then
	echo "kvm-2015 skipped: no rcusim binary given"
	exit 0
fi
run=("$rcusim" run "$scenario" -n @ -j 1 --format json -o /dev/null)
count=$(difference 200 "${run[@]}")
row 'kvm-2015: a replication' "$count" -

# seconds REPLICATIONS: best of three
seconds() {
	local best='' start end
	for _ in 1 2 3; do
		start=$(date +%s%N)
		"${run[@]//@/$1}" >/dev/null
		end=$(date +%s%N)
		if [ -z "$best" ] || [ $((end - start)) -lt "$best" ]; then best=$((end - start)); fi
	done
	echo "$best"
}
short=$(seconds 2000)
long=$(seconds 12000)
rate=$((10000 * 1000000000 / (long > short ? long - short : 1)))
printf '%-44s %12s %8s  %s\n' 'kvm-2015: replications a second, one core' "$rate" 20000 \
	"$([ "$rate" -ge 20000 ] && echo ok || echo 'below target')"

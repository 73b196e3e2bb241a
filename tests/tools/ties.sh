#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# No conclusion hangs on the order of what happens together: each shipped
# scenario runs with ties in the order of scheduling and in three random ones,
# the oracle on. In every cell each variant's mean boot time must stay within
# 0.5 %, and variants that differ by more than 1 % must keep their order.
# RCUSIM is the program. Ends with `N passed, M failed`.
set -uo pipefail
rcusim=${RCUSIM:-build/release/rcusim}
scenarios=${TIES_SCENARIOS:-scenarios}
replications=20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
passed=0 failed=0

means() { # FILE [OPTION...]: "cell variant" and its mean boot time
	"$rcusim" run "$1" -n $replications --seed 1 --check --format csv "${@:2}" 2>"$work/err" |
		awk -F, '$5 == "boot_time_ns" { sum[$2 "," $3] += $7; n[$2 "," $3]++ }
			END { for (k in sum) printf "%s,%.0f\n", k, sum[k] / n[k] }' | sort
}

same_verdict() { # PLAIN SHUFFLED
	join -t '|' <(sed 's/,\([0-9]*\)$/|\1/' "$1") <(sed 's/,\([0-9]*\)$/|\1/' "$2") | awk -F'|' -v lines="$(wc -l <"$1")" '
		function abs(x) { return x < 0 ? -x : x }
		{
			key = $1; sub(/,[^,]*$/, "", key)
			if (abs($3 - $2) > 0.005 * $2) { print $1 ": " $2 " ns became " $3 " ns"; bad = 1 }
			for (i = 0; i < n[key]; i++) {
				d = $2 - a[key, i]; e = $3 - b[key, i]
				if (abs(d) > 0.01 * $2 && d * e <= 0) { print $1 ": order of variants changed"; bad = 1 }
			}
			a[key, n[key] + 0] = $2; b[key, n[key] + 0] = $3; n[key]++
			count++
		}
		END { if (count == 0 || count != lines) { print "results are missing"; bad = 1 } exit bad }'
}

for scenario in "$scenarios"/boot/*.yaml "$scenarios"/teaching/*.yaml; do
	[ -e "$scenario" ] || continue
	ok=1
	means "$scenario" >"$work/plain"
	for seed in 1 2 3; do
		means "$scenario" --shuffle-ties $seed >"$work/shuffled"
		same_verdict "$work/plain" "$work/shuffled" || {
			echo "$scenario: --shuffle-ties $seed"
			head -n 5 "$work/err"
			ok=0
		}
	done
	if [ $ok -eq 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

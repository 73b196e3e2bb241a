#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make install` into a staging folder: the program that ends up under PREFIX
# works from any folder, finds its platforms, and `make uninstall` takes
# everything away again. Builds a copy of the sources, without optimisation.
# Ends with `N passed, M failed`.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
prefix=$work/usr

expect() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" >"$work/out" 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL $what"
		tail -n 20 "$work/out" | sed 's/^/  | /'
		failed=$((failed + 1))
	fi
}

build() { # ARGUMENTS...
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u VARIANT make -C "$work/src" --no-print-directory -j2 \
		CFLAGS=-O0 PREFIX="$prefix" DESTDIR="$work/stage" "$@"
}

# from a folder with nothing around it, with no hint in the environment
installed() { # ARGUMENTS...
	(cd "$work/elsewhere" && env -u RCUSIM_DATA "$prefix/bin/rcusim" "$@")
}

every_scenario_is_there() {
	local file
	while IFS= read -r file; do
		cmp "$file" "$prefix/share/rcusim/$file" || return 1
	done < <(find scenarios -name '*.yaml')
}

lists_the_platform() { installed list platforms | grep -q '^kvm-x86 '; }
runs_a_copied_scenario() { installed run -n 2 my.yaml | grep -q 'boot time to end mark'; }
nothing_is_left() { [ -z "$(find "$work/stage" ! -type d)" ]; }

mkdir -p "$work/src" "$work/elsewhere"
cp -r Makefile sources.mk sim models output scenarios docs "$work/src/"
cp scenarios/boot/kvm-2015.yaml "$work/elsewhere/my.yaml"
expect "make install" build install
cp -r "$work/stage$prefix" "$prefix"
expect "the manual is installed" test -s "$prefix/share/man/man1/rcusim.1"
expect "every scenario is installed" every_scenario_is_there
expect "the installed program lists its platform" lists_the_platform
expect "the installed program runs a scenario from elsewhere" runs_a_copied_scenario
expect "make uninstall" build uninstall
expect "nothing is left" nothing_is_left
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what rcusim needs.
#   ./setup.sh        to build, to run and for `make check`
#   ./setup.sh --ci   also for lint, sanitizers, fuzzing, valgrind and clang
#   ./setup.sh --list prints the package names
# Does nothing when everything is there already.
set -eu

base="gcc libc6-dev make pkg-config libgsl-dev libyaml-dev check libsubunit-dev"
ci="clang clang-tidy clang-format libclang-rt-14-dev llvm cppcheck shellcheck yamllint valgrind mandoc"

packages=$base
case ${1:-} in
"") ;;
--ci) packages="$base $ci" ;;
--list) printf '%s\n' "base: $base" "ci: $ci"; exit 0 ;;
-h | --help) sed -n '4,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
*) echo "setup.sh: unknown argument '$1' (try --help)" >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
	cat >&2 <<TXT
setup.sh installs packages on Debian and Ubuntu only. Install these with your
system's package manager, then run make:
  Fedora:    gcc make pkgconf-pkg-config gsl-devel libyaml-devel check-devel
             (lint: clang clang-tools-extra compiler-rt cppcheck ShellCheck yamllint valgrind)
  Arch:      base-devel gsl libyaml check
             (lint: clang compiler-rt cppcheck shellcheck yamllint valgrind)
  openSUSE:  gcc make pkg-config gsl-devel libyaml-devel check-devel
  Alpine:    build-base pkgconf gsl-dev yaml-dev check-dev bash coreutils
  others:    a C17 compiler, GNU make, pkg-config, GSL, libyaml, Check (with
             subunit), bash
TXT
	exit 1
fi

# clang's runtime carries its version in the package's name
case " $packages " in
*" libclang-rt-14-dev "*)
	version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1)
	if [ -n "$version" ] && [ "$version" != 14 ]; then
		packages=$(printf '%s' "$packages" | sed "s/libclang-rt-14-dev/libclang-rt-$version-dev/")
	fi
	;;
esac

missing=
for package in $packages; do
	state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	[ "$state" = "install ok installed" ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
	echo "setup.sh: everything is installed"
	exit 0
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "setup.sh: run as root (there is no sudo here): apt-get install$missing" >&2
		exit 1
	fi
	sudo=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
	# shellcheck disable=SC2086 # empty when already root
	if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
		-o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >"$log" 2>&1; then
		cat "$log" >&2
		echo "setup.sh: failed: apt-get $*" >&2
		exit 1
	fi
}

echo "setup.sh: installing$missing"
apt update
# shellcheck disable=SC2086 # a list of packages
apt install --no-install-recommends $missing
echo "setup.sh: done"

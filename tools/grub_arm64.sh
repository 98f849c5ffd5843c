#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# GRUB's modules for arm64, into DIRECTORY/arm64-efi. On a host of another architecture their package can't be installed beside the
# host's own, so it is fetched by apt, with state of its own (the host's lists and database are not touched), and unpacked.
# Make calls it, once.
set -eu
directory=$1
package=grub-efi-arm64-bin
work=$directory/apt

rm -rf "$directory"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
apt() {
	apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" \
		-o Acquire::Languages=none -o Dir::State="$work" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache" \
		-o Dir::Log="$work" "$@"
}
work=$(cd "$work" && pwd)
apt update || true # lists that this machine has beside Debian's may have no arm64
(cd "$work" && apt download "$package") || {
	echo "tlblab: $package for arm64 could not be fetched from where this machine gets its packages; see tools/packages.txt" >&2
	exit 1
}
dpkg -x "$work/$package"_*.deb "$work/root"
mv "$work/root/usr/lib/grub/arm64-efi" "$directory/"
rm -rf "$work"

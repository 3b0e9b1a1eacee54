#!/bin/sh
# Runs a command with another root file system, in a mount namespace that is this process's own already.
# A plain chroot is not enough, as runc itself changes the root by pivot_root, which a chroot forbids.
# Usage: enter-system.sh SYSTEM DIRECTORY TEMPORARY COMMAND…
#   SYSTEM     the root file system, which is only read
#   DIRECTORY  the command's own directory below TEMPORARY; what its folder etc holds is laid over /etc
#   TEMPORARY  shared with this machine, under the same path
set -eu
system=$1
directory=$2
temporary=$3
shift 3

# What the command writes to its system is kept in memory, and is gone with it.
mkdir -p "$directory/system"
mount -t tmpfs tmpfs "$directory/system"
mkdir "$directory/system/upper" "$directory/system/work" "$directory/system/root"
root=$directory/system/root
mount -t overlay overlay "$root" \
  -o "lowerdir=$system,upperdir=$directory/system/upper,workdir=$directory/system/work"

mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root$temporary"
mount --bind "$temporary" "$root$temporary"
if [ -d /lib/modules ]; then
  mkdir -p "$root/lib/modules"
  mount --bind /lib/modules "$root/lib/modules"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
if [ -d "$directory/etc" ]; then cp -R "$directory/etc/." "$root/etc/"; fi

mkdir "$root/old"
cd "$root"
pivot_root . old
cd /
umount -l /old
rmdir /old
exec "$@"

#!/bin/sh
# Builds the probe and its ps for both architectures, into harness/probe/bin or the directory given.
# The same compilers give the same bytes, wherever the sources lie and whenever it is run.
# Needs gcc (or amd64's cross compiler as AMD64_CC), aarch64-linux-gnu-gcc and the kernel's header files.
set -eu
LC_ALL=C
export LC_ALL
umask 022

sources=$(cd "$(dirname "$0")/../harness/probe/src" && pwd)
output=${1:-$sources/../bin}
mkdir -p "$output"
output=$(cd "$output" && pwd)
cd "$sources"

# program NAME ARCHITECTURE COMPILER STRIP SOURCES OPTION...
program() {
  name=$1 architecture=$2 compiler=$3 strip=$4 files=$5
  shift 5
  file=$output/$name-linux-$architecture
  # The names of the sources hold no spaces.
  # shellcheck disable=SC2086
  "$compiler" "$@" -std=c11 -Os -Wall -Wextra -Werror \
    -ffreestanding -nostdlib -static -fno-pie -no-pie -fomit-frame-pointer \
    -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident \
    -fno-tree-loop-distribute-patterns \
    -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,noexecstack -Wl,-z,norelro \
    -o "$file" "start-$architecture.S" $files
  "$strip" --strip-all --remove-section=.comment --remove-section='.note*' "$file"
  chmod 0755 "$file"
}

# build ARCHITECTURE COMPILER STRIP OPTION...
build() {
  architecture=$1 compiler=$2 strip=$3
  shift 3
  program probe "$architecture" "$compiler" "$strip" "$(echo ./*.c)" "$@"
  program ps "$architecture" "$compiler" "$strip" './ps/ps.c ./directory.c ./streams.c ./text.c' "$@"
}

build amd64 "${AMD64_CC:-gcc}" "${AMD64_STRIP:-strip}" -m64 -march=x86-64 -mtune=generic -fcf-protection=none
build arm64 "${ARM64_CC:-aarch64-linux-gnu-gcc}" "${ARM64_STRIP:-aarch64-linux-gnu-strip}" \
  -march=armv8-a -mbranch-protection=none -mno-outline-atomics

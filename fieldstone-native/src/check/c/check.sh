#!/usr/bin/env bash
# Builds each *_check.c with the kernels and runs it: optimised, under sanitizers, and for aarch64 under qemu-user.
# The latter two are left out where the tools are missing; --all makes that an error.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags=(-std=gnu11 -fno-tree-slp-vectorize -Wall -Wextra)
sources=(../../main/c/*.c)

need() {
  if command -v "$1" >/dev/null; then return 0; fi
  if [[ ${2:-} == --all ]]; then echo "check.sh: needs $1" >&2; exit 1; fi
  echo "check.sh: left out, because there is no $1"
  return 1
}

for check in *_check.c; do
  echo "== $check"
  gcc "${flags[@]}" -O3 -o "$out/check" "$check" "${sources[@]}"
  "$out/check"
  echo "== $check, sanitizers"
  gcc "${flags[@]}" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "$out/check" "$check" "${sources[@]}"
  "$out/check"
  if need aarch64-linux-gnu-gcc "${1:-}" && need qemu-aarch64 "${1:-}"; then
    echo "== $check, aarch64"
    aarch64-linux-gnu-gcc "${flags[@]}" -O3 -static -o "$out/check" "$check" "${sources[@]}"
    qemu-aarch64 "$out/check"
  fi
done

#!/usr/bin/env bash
# Runs random kernels on the GPU of this machine and prints `SEED HASH` for each, sorted.
# gpu.sh FOLDER: the folder's *.cu, each a batch that lanescope-cosim wrote. Needs nvcc.
# LANESCOPE_ARCH: the architecture to compile for (sm_90).
set -euo pipefail
[ $# -eq 1 ] && [ -d "$1" ] || { echo "usage: gpu.sh FOLDER" >&2; exit 2; }
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT
for batch in "$1"/*.cu; do basename "$batch" .cu; done |
  xargs -P "$(nproc)" -I{} nvcc -arch="${LANESCOPE_ARCH:-sm_90}" -O3 -std=c++20 -fmad=false -w \
    -o "$programs/{}" "$1/{}.cu"
for program in "$programs"/*; do timeout 60 "$program"; done | sed 's/^k//' | sort -n

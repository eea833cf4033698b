#!/usr/bin/env bash
# Simulates one reduction (1,048,576 floats, 256 threads per block, sequential addressing) with Oclgrind
# and with lanescope-cli, two threads each, and prints both times and the ratio. Both parse, run and
# count; the time is the whole process's. lanescope-cli: the median of some runs, hazards off.
set -euo pipefail
cd "$(dirname "$0")"
cli=${1:-../../build/bin/lanescope-cli}
runs=11
[ -x "$cli" ] || { echo "oclgrind.sh: $cli is missing; build it, or give its path" >&2; exit 1; }
command -v oclgrind-kernel >/dev/null || { echo "oclgrind.sh: install oclgrind" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# seconds NAME COMMAND…: its wall and processor seconds, in one line; its output in $scratch/NAME.
seconds() {
  local name=$1
  shift
  TIMEFORMAT='%R %U'
  { time "$@" >"$scratch/$name" 2>"$scratch/errors"; } 2>&1 || { cat "$scratch/errors" >&2; exit 1; }
}

theirs=$(seconds theirs oclgrind-kernel --num-threads 2 reduction.sim)
grep -q '^  out\[4095\] = 256' "$scratch/theirs" || { echo "oclgrind.sh: Oclgrind's sums are wrong" >&2; exit 1; }
for _ in $(seq "$runs"); do
  seconds ours "$cli" simulate ../../kernels/strategies/no_bank_conflict.cu --grid 4096 --block 256 \
    --dynamic-shared 1024 --arg f32:hash:1048576 --arg f32:zero:4096 --threads 2 --hazards off --json
done | sort -n >"$scratch/times"
grep -q memory_l1_wavefronts_shared "$scratch/ours" || { echo "oclgrind.sh: nothing was counted" >&2; exit 1; }
ours=$(sed -n "$((runs / 2 + 1))p" "$scratch/times")
awk -v theirs="$theirs" -v ours="$ours" 'BEGIN {
  split(theirs, t); split(ours, o)
  printf "               wall s  processor s\n"
  printf "Oclgrind      %7.3f      %7.3f\n", t[1], t[2]
  printf "lanescope-cli %7.3f      %7.3f\n", o[1], o[2]
  printf "ratio         %7.0f      %7.0f\n", t[1] / o[1], t[2] / o[2]
}'

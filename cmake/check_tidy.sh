#!/usr/bin/env bash
# usage: check_tidy.sh BUILD_DIRECTORY. Runs clang-tidy over the project's own sources that it compiles.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
# Other versions have other checks.
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
case "$("${tidy:-true}" --version)" in *'version 14.'*) ;; *) echo "clang-tidy 14 is not installed: skipped"; exit 77 ;; esac
[ -f "$build/CMakeCache.txt" ] || { echo "$build is not configured"; exit 1; }
root=$PWD
build=$(cd "$build" && pwd)
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
# All files of a target at once, which on two cores takes 5 minutes and in the build's batches 8: a name at file scope
# means one thing within a target. As the build compiles them, but without its precompiled headers, which are another
# compiler's.
sed -E 's# -Winvalid-pch# #; s# -include [^ ]*/cmake_pch\.hxx# #' "$build/compile_commands.json" |
  awk -v root="$root" -v build="$build" -v to="$database" '
    /"directory": / { directory = $0 }
    /"command": / { command = $0 }
    /"file": / {
      file = $0; sub(/.*"file": "/, "", file); sub(/".*/, "", file)
      if (file !~ /\.c[px][px]$/ || file ~ /\/tests\/|_tests?\.dir\/|cmake_pch/) next
      folder = index(file, build "/") == 1 ? build : root
      if (index(file, folder "/") != 1 || substr(file, length(folder) + 2) !~ /^(sim|app|kernels)\//) next
      target = command; sub(/.* -o [^ ]*CMakeFiles\//, "", target); sub(/\.dir\/.*/, "", target)
      unit = to "/" target ".cxx"
      if (!(target in seen)) {
        seen[target] = 1
        command = substr(command, 1, index(command, " -c ") + 3) unit "\","
        entries = entries (entries == "" ? "" : ",\n") "{\n" directory "\n" command "\n\"file\": \"" unit "\"\n}"
      }
      print "#include \"" file "\"" >unit
    }
    END { print "[\n" entries "\n]" >(to "/compile_commands.json") }'
mapfile -t units < <(ls -S "$database"/*.cxx)
[ "${#units[@]}" -gt 0 ] || { echo "no sources found in compile_commands.json"; exit 1; }
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" \
  "$tidy" --quiet -p "$database" --config-file=.clang-tidy --header-filter="^$root/(sim|kernels|app)/.*\.(h|cpp)\$" \
  --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option \
  --extra-arg=-Wno-shadow --extra-arg=-Wno-unused-command-line-argument
echo "clang-tidy is content with ${#units[@]} targets"

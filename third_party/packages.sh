# shellcheck shell=bash
# Sourced by run and test: finds the Debian or Ubuntu packages that are missing and installs them,
# configures and builds. Each step that fails says so in one clear line.

# What the build needs, what only the tests need, and what only ./run --install needs.
# shellcheck disable=SC2034
buildPackages=(g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev python3-glad libgl-dev libstb-dev
  libfreetype-dev libcairo2-dev libgif-dev libmd4c-dev nlohmann-json3-dev libcli11-dev libfmt-dev fonts-inter fonts-jetbrains-mono)
# shellcheck disable=SC2034
testPackages=(git libgtest-dev xvfb xauth xdotool imagemagick clang clang-format clang-tidy libclang-rt-dev
  libgl1-mesa-dri openssh-client openssh-server)
# The browser that ./test --all looks at pages with; without it those tests are skipped.
# shellcheck disable=SC2034
browserPackages=(chromium)
# shellcheck disable=SC2034
installPackages=(dpkg-dev file)
# What there is a way without, where a release does not have it: ImGui's own font; tests that are skipped.
isOptional() { case "$1" in fonts-* | clang* | libclang-rt-dev | chromium) true ;; *) false ;; esac; }
# What sim/bench needs; neither ./run nor ./test builds it.
# shellcheck disable=SC2034
benchmarkPackages=(libbenchmark-dev oclgrind)

fail() {
  echo "lanescope: $*" >&2
  exit 1
}

# hasGpu: whether NVIDIA's driver finds a GPU here.
hasGpu() { { command -v nvidia-smi && nvidia-smi -L; } >/dev/null 2>&1; }

# missingOf PACKAGE…: prints those that are not installed.
missingOf() {
  local installed package
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true) "
  for package in "$@"; do
    case "$installed" in *" $package:installed "*) ;; *) echo "$package" ;; esac
  done
}

# keepKnown [fresh]: of `missing`, leaves out the optional packages that this release does not have; ends
# the script where it lacks another, if the package lists are fresh.
keepKnown() {
  # Without package lists nothing is known.
  if [ "${#missing[@]}" -eq 0 ] || ! apt-cache show libc6 >/dev/null 2>&1; then return 0; fi
  local package kept=()
  for package in "${missing[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then
      kept+=("$package")
    elif ! isOptional "$package"; then
      [ "${1:-}" != fresh ] ||
        fail "this release has no package $package: Debian 12, Ubuntu 22.04 (in universe) and newer ones have it"
      kept+=("$package")
    fi
  done
  missing=("${kept[@]}")
}

# becomeRoot SENTENCE: sets `asRoot`, the words before a command that needs root; ends the script with that
# sentence where there is no way.
becomeRoot() {
  asRoot=()
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null || fail "$1"
  asRoot=(sudo)
}
quietApt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)

# installPackage FILE: installs this .deb and what it depends on, again where that version is installed.
installPackage() {
  local log
  echo "Installing with ${asRoot[*]:+sudo }apt-get: $1"
  log=$(mktemp)
  if ! "${asRoot[@]}" "${quietApt[@]}" install -y --reinstall --allow-downgrades "$1" </dev/null >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    fail "apt-get could not install $1 (see its message above)"
  fi
  rm -f "$log"
}

# installMissing PACKAGE…: says what it installs; ends the script with one line where it cannot.
installMissing() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return 0
    fail "this is neither Debian nor Ubuntu: install CMake, Ninja and what third_party/dependencies.cmake names by hand"
  fi
  local missing
  mapfile -t missing < <(missingOf "$@")
  keepKnown
  [ "${#missing[@]}" -gt 0 ] || return 0
  becomeRoot "packages are missing, and this is neither root nor is there sudo; as root: apt-get install ${missing[*]}"
  echo "Installing with ${asRoot[*]:+sudo }apt-get: ${missing[*]}"
  local apt=("${asRoot[@]}" "${quietApt[@]}")
  local log
  log=$(mktemp)
  # A new machine has no package lists yet, and old lists name files that are gone: the first try
  # that fails fetches them anew.
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1; then
    if "${apt[@]}" update </dev/null >"$log" 2>&1; then keepKnown fresh; else tail -n 5 "$log" >&2; fi
    if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1; then
      tail -n 15 "$log" >&2
      rm -f "$log"
      fail "apt-get could not install ${missing[*]} (see its message above)"
    fi
  fi
  rm -f "$log"
}

# configure PRESET [CMAKE-ARGUMENT…]: quiet unless it fails.
configure() {
  local log
  if [[ "$(cmake --version 2>/dev/null)" =~ ([0-9]+)\.([0-9]+) ]] &&
    ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] < 3022)); then
    fail "CMake ${BASH_REMATCH[0]} is too old: 3.22 or newer is needed, as Debian 12 and Ubuntu 22.04 have it, or from cmake.org"
  fi
  log=$(mktemp)
  if ! cmake --preset "$@" </dev/null >"$log" 2>&1; then
    tail -n 25 "$log" >&2
    rm -f "$log"
    fail "CMake could not configure the preset $1 (see its message above)"
  fi
  rm -f "$log"
}

# build DIRECTORY WHAT [TARGET…]: one status line that moves on a terminal, silence elsewhere; a
# failure shows the end of DIRECTORY/last-build.log.
build() {
  local directory=$1 what=$2 log=$1/last-build.log
  shift 2
  if [ -t 1 ]; then
    # ninja writes to a pipe here, one line for each step: keep them and show the last.
    ninja -C "$directory" "$@" 2>&1 </dev/null | tee "$log" | showLast || buildFailed "$log" "$what"
  else
    ninja -C "$directory" "$@" >"$log" 2>&1 </dev/null || buildFailed "$log" "$what"
  fi
}

showLast() {
  local line width
  width=$(tput cols 2>/dev/null || echo 80)
  while IFS= read -r line; do
    case "$line" in '['*) printf '\r\033[K%s' "${line:0:$((width - 1))}" ;; esac
  done
  printf '\r\033[K'
}

buildFailed() {
  grep -E -A 12 '^FAILED:|error:' "$1" | head -n 40 >&2 || tail -n 40 "$1" >&2
  fail "$2 does not build (above: the errors; all of it: $1)"
}

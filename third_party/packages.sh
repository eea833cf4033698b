# Sourced by run and test: finds the Debian or Ubuntu packages that are missing and installs them.

# What the build needs, and what only the tests need.
buildPackages="g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev python3-glad libgl-dev libstb-dev
  libfreetype-dev nlohmann-json3-dev libcli11-dev libfmt-dev fonts-inter fonts-jetbrains-mono"
testPackages="libgtest-dev xvfb xauth xdotool imagemagick clang-format clang-tidy libgl1-mesa-dri"

fail() {
  echo "lanescope: $*" >&2
  exit 1
}

# installMissing PACKAGE…: says what it installs; ends the script with one line where it cannot.
installMissing() {
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && return 0
    fail "this is neither Debian nor Ubuntu: install CMake and the libraries of third_party/CMakeLists.txt by hand"
  fi
  local missing="" package
  local installed
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Abbrev} ' "$@" 2>/dev/null || true) "
  for package in "$@"; do
    case "$installed" in *" $package:ii"*) ;; *) missing="$missing $package" ;; esac
  done
  [ -n "$missing" ] || return 0
  local asRoot=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these packages are missing, and there is no sudo: as root, apt-get install$missing"
    asRoot="sudo"
  fi
  echo "Installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  # A new machine has no package lists yet: fetch them when the first try finds nothing.
  # shellcheck disable=SC2086
  $asRoot apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 && return 0
  $asRoot apt-get update -qq >/dev/null 2>&1 || echo "apt-get update failed; trying with the lists there are" >&2
  # shellcheck disable=SC2086
  $asRoot apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install:$missing"
}

# configure PRESET [CMAKE-ARGUMENT…]: quiet unless it fails.
configure() {
  local log
  log=$(mktemp)
  if ! cmake --preset "$@" >"$log" 2>&1; then
    tail -n 25 "$log" >&2
    rm -f "$log"
    fail "CMake could not configure the preset $1 (the reason stands above)"
  fi
  rm -f "$log"
}

# Debian packages a build, the demo and the tests need; sourced by demo.sh and test.sh. Installs what is missing, as root
# or with sudo.
build_packages="g++ cmake ninja-build libboost-dev libminizip-dev libtomlplusplus-dev libcli11-dev libhdf5-dev nlohmann-json3-dev libfmt-dev libssl-dev zlib1g-dev librandom123-dev"
demo_packages="python3-h5py"
test_packages="chromium clang-format-14 help2man libeigen3-dev libsundials-dev libgtest-dev libzstd-dev libopenmpi-dev openmpi-bin python3-h5py python3-xarray python3-h5netcdf python3-netcdf4 python3-sympy python3-dev python3-venv"

install_missing() {
  local missing="" package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  local as_root=""
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  echo "installing:$missing"
  $as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# Sourced by the scripts beside this folder: finds the package and the toolchain, and installs from Debian's packages
# what is missing. Nothing is asked of the network when nothing is missing.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The C libraries that the modules for HTTP/2, TLS and compression link.
build_packages=(libbrotli-dev libnghttp2-dev libssl-dev zlib1g-dev)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_missing PACKAGE...: installs those that are not installed yet, as root or with sudo.
install_missing() {
    local missing=() package as_root=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "to be installed as root first: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    # A list of packages that is there may be too old to install from, so a failure is tried once more with a fresh one.
    apt_install() {
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
    }
    if ! apt_install "${missing[@]}" >"$log" 2>&1; then
        if ! { "${as_root[@]}" apt-get update && apt_install "${missing[@]}"; } >"$log" 2>&1; then
            tail -n 20 "$log" >&2
            rm -f "$log"
            die "could not install ${missing[*]}"
        fi
    fi
    rm -f "$log"
}

require_swift() {
    command -v swift >/dev/null || die "a Swift 6.3 toolchain is needed in PATH, see https://www.swift.org/install"
}

set_up_build() {
    require_swift
    install_missing "${build_packages[@]}"
}

# build_release PRODUCT: builds a release binary, quietly; its path is printed.
build_release() {
    local log
    mkdir -p .build
    log=.build/release-build.log
    if ! swift build --configuration release --product "$1" >"$log" 2>&1; then
        cat "$log" >&2
        die "the release build failed"
    fi
    printf '%s/%s\n' "$(swift build --configuration release --show-bin-path)" "$1"
}

# is_fresh BINARY: whether no source is newer than the binary, so that nothing has to be built.
is_fresh() {
    [ -x "$1" ] && [ -z "$(find Package.swift Sources Examples -newer "$1" -print -quit)" ]
}

# release_binary [PRODUCT]: the path of a release binary that is up to date, granary unless another product is named.
# The look at the files' times takes milliseconds, where asking the build system takes seconds.
release_binary() {
    local product=${1:-granary}
    local binary=.build/release/$product
    if ! is_fresh "$binary"; then
        say "building $product, a few minutes the first time"
        binary=$(build_release "$product")
        touch "$binary"
    fi
    printf '%s\n' "$binary"
}

# The check and the tests build with the same options, so that there is one debug build.
strict=(-Xswiftc -warnings-as-errors)

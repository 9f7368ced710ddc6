# Sourced by the scripts in the parent folder. Finds the package and the toolchain, and installs missing Debian packages.
# It does not use the network if nothing is missing.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The C libraries that the modules link. The tests of the journal in PostgreSQL need its server, and are skipped without it.
build_packages=(libbrotli-dev libcurl4-openssl-dev libnghttp2-dev libpq-dev libsqlite3-dev libssl-dev zlib1g-dev)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# three_times COMMAND...: repeats a command that uses the network, until it succeeds or has failed three times.
three_times() {
    local attempt
    for attempt in 1 2 3; do
        ! "$@" || return 0
        [ "$attempt" -eq 3 ] || sleep $((10 * attempt))
    done
    return 1
}

# install_missing PACKAGE...: installs the packages that are not installed yet, as root or with sudo.
install_missing() {
    local missing=() package as_root=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "sudo is not available; run as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    apt_get() {
        # Another script may be installing packages.
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --option DPkg::Lock::Timeout=1200 "$@"
    }
    apt_install() { apt_get install --yes --no-install-recommends "${missing[@]}"; }
    # The package lists may be outdated, so a failed installation is repeated after an update.
    update_and_install() { apt_get update && apt_install; }
    if ! apt_install >"$log" 2>&1 && ! three_times update_and_install >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        die "could not install ${missing[*]}"
    fi
    rm -f "$log"
}

# install_python_packages FOLDER MODULES PACKAGE...: installs packages in a virtual environment, unless it has the modules already.
install_python_packages() {
    local folder=$1 modules=$2
    shift 2
    "$folder/bin/python" -c "import $modules" 2>/dev/null && return
    say "installing $*"
    # Debian's Python, because python3-venv was installed for it.
    /usr/bin/python3 -m venv "$folder"
    three_times "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" || die "could not install $*"
}

require_swift() {
    command -v swift >/dev/null || die "expected a Swift 6.3 toolchain in PATH, see https://www.swift.org/install"
}

set_up_build() {
    require_swift
    install_missing "${build_packages[@]}"
}

# build_release PRODUCT: builds a release binary quietly and prints its path.
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

# is_fresh BINARY: succeeds if no source is newer than the binary.
is_fresh() {
    [ -x "$1" ] && [ -z "$(find Package.swift Sources Clients/JavaScript/src Examples -newer "$1" -print -quit)" ]
}

# release_binary [PRODUCT]: builds a release binary if necessary and prints its path; the default product is granary.
# Comparing the files' times takes milliseconds, while the build system takes seconds.
release_binary() {
    local product=${1:-granary}
    local binary=.build/release/$product
    if ! is_fresh "$binary"; then
        say "building $product (the first build takes a few minutes)"
        binary=$(build_release "$product")
        touch "$binary"
    fi
    printf '%s\n' "$binary"
}

# debug_binary PRODUCT: prints the path of a debug binary, which is used as it is.
debug_binary() {
    local binary=.build/debug/$1
    [ -x "$binary" ] || die "$binary does not exist; build it first: Scripts/check, or swift build --product $1"
    printf '%s\n' "$binary"
}

# The check and the tests build with the same options, so that they share one debug build.
strict=(-Xswiftc -warnings-as-errors)

# The packages under Examples share one build folder. SwiftPM's cached plan does not name its package: without the last
# option, the second package would get the plan of the first one and run its tests. For the same reason, the folder is not
# the one of the server itself.
examples=(--scratch-path .build/examples "${strict[@]}" --disable-build-manifest-caching)

# test_example FOLDER: builds the package in a folder and runs its tests. A first build compiles the server, for as long as it takes.
# The limit stops tests that hang.
test_example() {
    swift build --build-tests --package-path "$1" "${examples[@]}" &&
        timeout --kill-after=10 1200 swift test --skip-build --package-path "$1" "${examples[@]}"
}

# start_program TITLE PROGRAM OUTPUT: starts a server on a free port, and waits until it is ready. Sets `server` to its process and `url`
# to its address, which the text at its start has after its title (name and version). The limit stops a program that hangs, and one that
# ignores SIGTERM.
start_program() {
    : >"$3"
    # In the foreground, because otherwise SIGTERM is also sent to the process group: the program would get it twice, and a second one
    # ends it immediately.
    timeout --foreground --kill-after=5 600 "$2" --http.port 0 >"$3" 2>&1 &
    server=$!
    # The command to try is the last line.
    until grep --quiet '^  curl ' "$3"; do
        kill -0 "$server" 2>/dev/null || die "$1 did not start: $(cat "$3")"
        sleep 0.1
    done
    url=$(sed -n "s/^${1//./\\.} serves on //p" "$3")
    [ -n "$url" ] || die "expected the address of $1, got: $(cat "$3")"
    # It listens before it is ready.
    until "$2" health --url "$url" >/dev/null 2>&1; do
        kill -0 "$server" 2>/dev/null || die "$1 is not ready: $(cat "$3")"
        sleep 0.1
    done
}

# fetch ARGUMENT...: runs curl. The limit stops a request that hangs.
fetch() { curl --silent --show-error --max-time 120 "$@"; }

extension PackageTemplate {
    /// The libraries that a build needs.
    private static let developmentPackages =
        "libbrotli-dev libcurl4-openssl-dev libnghttp2-dev libsqlite3-dev libssl-dev zlib1g-dev"

    var dockerfile: String {
        let copy = granary.containerPath(name).map { path in
            """
            # The manifest names Granary by a path, which is given to the build as a second context.
            COPY --from=granary [".", "\(path)"]

            """
        }
        return """
            # The first stage builds a binary that includes the Swift standard library. The second one is a slim image with it.
            FROM docker.io/library/swift:6.3-bookworm AS build
            RUN apt-get update \\
                && apt-get install --yes --no-install-recommends \\
                    \(Self.developmentPackages) \\
                && rm -rf /var/lib/apt/lists/*
            \(copy ?? "")COPY . /build/\(name.text)
            WORKDIR /build/\(name.text)
            RUN swift build --configuration release --product \(name.text) --static-swift-stdlib \\
                && install -D --strip "$(swift build --configuration release --show-bin-path)/\(name.text)" /out/\(name.text)

            FROM docker.io/library/debian:bookworm-slim
            RUN apt-get update \\
                && apt-get install --yes --no-install-recommends \\
                    ca-certificates libbrotli1 libcurl4 libnghttp2-14 libsqlite3-0 libssl3 zlib1g \\
                && rm -rf /var/lib/apt/lists/* \\
                && useradd --system --uid 10001 --user-group --home-dir /var/lib/server --create-home server
            COPY --from=build /out/\(name.text) /usr/local/bin/\(name.text)
            # In a container, the server listens on all addresses, logs JSON, and stores its sessions in a volume.
            ENV GRANARY_HTTP_HOST=0.0.0.0 \\
                GRANARY_LOG_FORMAT=json \\
                STATE_DIRECTORY=/var/lib/server/sessions
            USER server
            WORKDIR /var/lib/server
            VOLUME /var/lib/server
            EXPOSE 8080
            STOPSIGNAL SIGTERM
            HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["\(name.text)", "health"]
            ENTRYPOINT ["\(name.text)"]
            CMD ["serve"]

            """
    }

    var unit: String {
        """
        # /etc/systemd/system/\(name.text).service
        [Unit]
        Description=\(name.text)
        After=network.target

        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=/usr/local/bin/\(name.text) serve
        # Replaces the server without closing a connection or ending a session.
        ExecReload=/bin/kill -USR2 $MAINPID
        Restart=on-failure
        TimeoutStopSec=15s
        LimitNOFILE=200000
        DynamicUser=yes
        # Where sessions are stored.
        StateDirectory=\(name.text)
        StateDirectoryMode=0700

        [Install]
        WantedBy=multi-user.target

        """
    }

    /// The step of the workflow that gets Granary, if SwiftPM does not.
    private var granaryStep: String {
        guard case .path(let path) = granary else { return "" }
        guard path.hasPrefix("../"), let folder = path.split(separator: "/").last, path == "../\(folder)" else {
            return """
                      # Name the address of Granary's repository in Package.swift: its path exists on one machine only.

                """
        }
        return """
                  # The manifest names Granary by a path. The variable names its repository.
                  - uses: actions/checkout@v4
                    with:
                      repository: ${{ vars.GRANARY_REPOSITORY }}
                      path: \(folder)

            """
    }

    var workflow: String {
        return """
            name: test
            on: [push, pull_request]
            jobs:
              test:
                runs-on: ubuntu-latest
                container: swift:6.3-bookworm
                steps:
                  - uses: actions/checkout@v4
                    with:
                      path: \(name.text)
            \(granaryStep)      - run: |
                      apt-get update
                      apt-get install --yes --no-install-recommends \\
                        \(Self.developmentPackages)
                  - run: swift test
                    working-directory: \(name.text)

            """
    }
}

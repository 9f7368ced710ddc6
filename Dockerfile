# The first stage builds a binary that includes the Swift standard library. The second one collects what the binary needs of Debian.
# The image has nothing else: no shell, no package manager.
ARG BUILD_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libbrotli-dev libcurl4-openssl-dev libnghttp2-dev libpq-dev libsqlite3-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
COPY Sources Sources
# CPages embeds the JavaScript client.
COPY LICENSE ./
COPY Clients/JavaScript Clients/JavaScript
# The manifest refers to the folders of the tests and an example, so they must exist although the product does not use them.
COPY Tests Tests
COPY Examples Examples
# The commit that `granary --version --verbose` prints: --build-arg BUILD_COMMIT=$(git rev-parse HEAD)
ARG BUILD_COMMIT=
RUN swift build --configuration release --product granary --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path)/granary" /out/granary

FROM ${RUN_IMAGE} AS files
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libbrotli1 libcurl4 libnghttp2-14 libpq5 libsqlite3-0 libssl3 zlib1g
COPY --from=build /out/granary /usr/local/bin/granary
# With the packages' records, so that tools that look for known vulnerabilities find them, and with their licenses.
RUN set -eu; \
    libraries=$(ldd /usr/local/bin/granary | sed -n 's/.*=> \(.*\) (.*/\1/p; s/^\t\(\/.*\) (.*/\1/p'); \
    mkdir -p /files/var/lib/dpkg/status.d /files/var/lib/granary /files/usr/share/doc/granary /files/usr/lib/ssl /files/proc; \
    install -d -m 1777 /files/tmp; \
    for place in bin lib lib64; do mkdir -p /files/usr/$place; ln -s usr/$place /files/$place; done; \
    cp --parents --dereference $libraries /usr/local/bin/granary /etc/os-release \
        /etc/ssl/certs/ca-certificates.crt /etc/ssl/openssl.cnf /files; \
    ln -s /etc/ssl/certs/ca-certificates.crt /files/usr/lib/ssl/cert.pem; \
    ln -s /etc/ssl/openssl.cnf /files/usr/lib/ssl/openssl.cnf; \
    for package in ca-certificates base-files $(for library in $libraries; do \
            dpkg-query --search "*/${library##*/}" | sed 's/:.*//'; done | sort -u); do \
        dpkg-query --status "$package" > "/files/var/lib/dpkg/status.d/$package"; \
        [ ! -e "/usr/share/doc/$package/copyright" ] || cp --parents "/usr/share/doc/$package/copyright" /files; \
    done; \
    cp --parents /usr/share/doc/gcc-*-base/copyright /files; \
    echo 'granary:x:10001:10001::/var/lib/granary:/sbin/nologin' > /files/etc/passwd; \
    echo 'granary:x:10001:' > /files/etc/group; \
    echo 'hosts: files dns' > /files/etc/nsswitch.conf; \
    chown 10001:10001 /files/var/lib/granary; \
    granary --version --bom > /files/usr/share/doc/granary/bom.cdx.json

FROM scratch
COPY --from=files /files /
# Sessions are stored in a directory of the volume that the server creates, because only its user may access it.
ENV PATH=/usr/local/bin \
    GRANARY_HTTP_HOST=0.0.0.0 \
    GRANARY_LOG_FORMAT=json \
    STATE_DIRECTORY=/var/lib/granary/sessions
USER granary
WORKDIR /var/lib/granary
VOLUME /var/lib/granary
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["granary", "health"]
ENTRYPOINT ["granary"]
CMD ["serve"]

# The first stage builds a binary that includes the Swift standard library. The second one is a slim image with that binary.
ARG BUILD_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libbrotli-dev libcurl4-openssl-dev libnghttp2-dev libsqlite3-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
COPY Sources Sources
# The manifest refers to the folders of the tests and an example, so they must exist although the product does not use them.
COPY Tests Tests
COPY Examples Examples
# The commit that `granary --version --verbose` prints: --build-arg BUILD_COMMIT=$(git rev-parse HEAD)
ARG BUILD_COMMIT=
RUN swift build --configuration release --product granary --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path)/granary" /out/granary

FROM ${RUN_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libbrotli1 libcurl4 libnghttp2-14 libsqlite3-0 libssl3 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /var/lib/granary --create-home granary
COPY --from=build /out/granary /usr/local/bin/granary
# What the image contains, for tools that look for known vulnerabilities.
RUN mkdir -p /usr/share/doc/granary && granary --version --bom > /usr/share/doc/granary/bom.cdx.json
# Sessions are stored in a directory of the volume that the server creates, because only its user may access it.
ENV GRANARY_HTTP_HOST=0.0.0.0 \
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

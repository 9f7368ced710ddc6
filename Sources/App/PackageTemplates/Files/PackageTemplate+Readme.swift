extension PackageTemplate {
    /// The name of the image, which cannot have capitals.
    private var image: String { name.text.lowercased() }

    private var imageBuild: String {
        switch granary {
        case .path(let path):
            "docker build --build-context 'granary=\(path.replacing("'", with: #"'\''"#))' --tag \(image) ."
        case .address: "docker build --tag \(image) ."
        }
    }

    var readme: String {
        """
        # \(name.text)

        A server that hosts \(style.title) for each of its clients, with Granary.

        ## Run it

        On Debian 12 with a Swift 6.3 toolchain and, as root, the libraries that the server links:

        ```sh
        apt-get install libbrotli-dev libcurl4-openssl-dev libnghttp2-dev libsqlite3-dev libssl-dev zlib1g-dev
        ```

        ```sh
        swift run \(name.text)    # serves on http://127.0.0.1:8080; the first build takes a few minutes
        swift test
        granary dev    # builds and serves again whenever a source file changes; sessions continue
        ```

        The page at <http://127.0.0.1:8080> lists the machines and has a control for each input. With curl:

        ```sh
        session=$(curl -sS -o /dev/null -w '%header{location}' http://127.0.0.1:8080/v1/sessions \\
            -H 'Content-Type: application/json' -d '{"machine":"counter"}')
        curl -sSN http://127.0.0.1:8080$session/outputs -H 'Accept: text/event-stream' &
        curl -sS -X POST http://127.0.0.1:8080$session/inputs/increment
        ```

        `swift run \(name.text) --help` lists the commands and configuration keys.

        ## What is where

        | | |
        | --- | --- |
        | `Sources/\(name.model)` | the machine. It imports nothing of the server, so an app can contain the same source |
        | `Sources/\(name.server)` | the program: which machines it hosts |
        | `Tests/\(name.tests)` | tests that send requests to the machines, without a socket and in virtual time |
        | `Dockerfile` | an image with the program |
        | `Config/\(name.text).service` | a unit for systemd |
        | `.github/workflows/test.yml` | runs the tests after each push |

        ## The image

        ```sh
        \(imageBuild)
        docker run --rm --publish 127.0.0.1:8080:8080 --volume \(name.text):/var/lib/server \(image)
        ```

        In a container, the server listens on all addresses and accepts any `Host`. Before you publish it to others, set
        `GRANARY_HTTP_ALLOWED_HOSTS` and read what Granary's documents on operations and access say about TLS and limits.

        """
    }
}

import HTTP1
import HTTPServer
import Testing

@testable import Granary

struct ConfigurationLoaderTests {
    private func load(
        file: String? = nil, environment: [String: String] = [:], flags: [(name: String, value: String)] = []
    ) throws(ConfigurationError) -> ServiceConfiguration {
        try ConfigurationLoader.load(
            .service, file: file.map { ConfigurationFile(path: "granary.json5", content: $0) },
            environment: environment,
            flags: flags)
    }

    private func problems(
        file: String? = nil, environment: [String: String] = [:], flags: [(name: String, value: String)] = []
    ) -> [String] {
        do {
            _ = try load(file: file, environment: environment, flags: flags)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// Returns whether all values are the defaults.
    private func isDefault(_ configuration: ServiceConfiguration) -> Bool {
        let table = ConfigurationTable.service
        return table.values(of: configuration) == table.values(of: table.defaults)
    }

    @Test func `without any source, the defaults remain`() throws {
        #expect(isDefault(try load()))
    }

    @Test func `every source can set the keys of a program`() throws {
        let configuration = try load(
            file: "{ service: { timeout: '5s', retries: 1, regions: ['us', 'eu'], token: 'a', isEnabled: false } }",
            environment: ["GRANARY_SERVICE_RETRIES": "2", "GRANARY_SERVICE_MODE": "careful"],
            flags: [("service.cacheBytes", "2MiB"), ("service.token", "b")])
        var expected = ServiceSettings()
        (expected.timeout, expected.retries, expected.regions) = (.seconds(5), 2, ["us", "eu"])
        (expected.isEnabled, expected.mode, expected.cacheBytes) = (false, .careful, 2 << 20)
        expected.token = Secret("b")
        #expect(configuration.settings == expected)
        #expect(configuration.server.server.port == 8080)
        #expect(
            problems(flags: [("service.retries", "10"), ("service.retry", "1")]) == [
                "--service.retries: service.retries: expected a whole number from 0 to 9, got \"10\"",
                "--service.retry: service.retry: no such key, did you mean service.retries?",
            ])
    }

    @Test func `a flag overrides the environment, and the environment overrides the file`() throws {
        let file = "{ http: { port: 1001, loops: 1, host: '::1' } }"
        let environment = ["GRANARY_HTTP_PORT": "1002", "GRANARY_HTTP_LOOPS": "2", "PATH": "/bin"]
        let configuration = try load(file: file, environment: environment, flags: [("http.port", "1003")])
        #expect(configuration.server.server.port == 1003)
        #expect(configuration.server.server.loopCount == 2)
        #expect(configuration.server.server.host == "::1")
    }

    @Test func `a file may use all of JSON5 and name keys by their full path`() throws {
        let configuration = try load(
            file: """
                // comment
                {
                    'http.port': 0x1F90, /* hexadecimal */
                    "http": { maxBodyBytes: "2MiB", allowedHosts: ['a.example', "b.example",], },
                    stream: { keepAlive: '250ms' },
                    service: { token: null },
                }
                """)
        #expect(configuration.server.server.port == 8080)
        #expect(configuration.server.server.limits.bodyBytes == 2 << 20)
        #expect(configuration.server.server.allowedHosts == ["a.example", "b.example"])
        #expect(configuration.server.sessions.keepAlive == .milliseconds(250))
    }

    @Test func `a list in a variable is separated by commas`() throws {
        let configuration = try load(environment: ["GRANARY_HTTP_ALLOWED_HOSTS": "a.example, b.example"])
        #expect(configuration.server.server.allowedHosts == ["a.example", "b.example"])
    }

    @Test func `an unknown key is reported with its line and the nearest known key`() {
        let file = "{\n  http: {\n    prot: 9000,\n  },\n  colour: 'red',\n}"
        #expect(
            problems(file: file) == [
                "granary.json5:3:5: http.prot: no such key, did you mean http.port?",
                "granary.json5:5:3: colour: no such key",
            ])
    }

    @Test func `an invalid value is reported with its line, the expectation and the value`() {
        let file = "{\n  http: { port: '9000' },\n  stream: { keepAlive: 15 } }"
        #expect(
            problems(file: file) == [
                "granary.json5:2:11: http.port: expected a whole number from 0 to 65535, got \"9000\"",
                "granary.json5:3:13: stream.keepAlive: expected a duration with its unit (ms, s, m, h), such as \"15s\" "
                    + "from 1ms to 720h, got 15",
            ])
    }

    @Test func `the error for a list names the invalid element`() {
        let file = "{ http: { listeners: ['unix:/run/a.sock',\n 'http://localhost:80'], proxies: ['::1', 'here'] } }"
        #expect(
            problems(file: file) == [
                "granary.json5:1:11: http.listeners: expected a numeric address, with IPv6 in brackets: 127.0.0.1, "
                    + "0.0.0.0, [::], got \"http://localhost:80\"",
                "granary.json5:2:26: http.proxies: expected a list of addresses and networks, such as "
                    + "\"10.0.0.0/8,::1\", or \"unix\", got \"here\"",
            ])
        #expect(
            problems(flags: [("http.listeners", "http://127.0.0.1:80, ftp://127.0.0.1:21")]) == [
                "--http.listeners: http.listeners: expected http://ADDRESS:PORT, https://ADDRESS:PORT, unix:/PATH or "
                    + "https+unix:/PATH, with admin+ in front for operators only, got \"ftp://127.0.0.1:21\""
            ])
        #expect(problems(file: "{ http: { listeners: 'unix:/a' } }").count == 1)
    }

    @Test func `listeners are read from every source and written unchanged`() throws {
        let text = "admin+http://127.0.0.1:9090,unix:/run/granary.sock?mode=0600,https://[::]:8443"
        let fromFile = try load(
            file: "{ http: { listeners: ['admin+http://127.0.0.1:9090', 'unix:/run/granary.sock?mode=0600', "
                + "'https://[::]:8443'] } }")
        let fromEnvironment = try load(environment: ["GRANARY_HTTP_LISTENERS": text])
        #expect(fromEnvironment.server.server.listeners == fromFile.server.server.listeners)
        #expect(ConfigurationTable.service.key(named: "http.listeners")?.text(in: fromFile) == text)
        #expect(fromFile.server.httpServer().listeners.count == 3)
    }

    @Test func `the variable for the successor of a server is not a key`() throws {
        #expect(isDefault(try load(environment: ["GRANARY_TAKEOVER": "3 predecessor"])))
    }

    @Test func `a duplicate key is an error`() {
        let file = "{ http: { port: 1 },\n 'http.port': 2 }"
        #expect(problems(file: file) == ["granary.json5:2:2: http.port: already set on line 1"])
    }

    @Test func `a section that is not an object is an error`() {
        #expect(problems(file: "{ http: 8080 }") == ["granary.json5:1:3: http: no such key"])
    }

    @Test func `a document that is not an object is an error`() {
        #expect(problems(file: "[]") == ["granary.json5:1:1: expected an object, got an array"])
    }

    @Test func `a syntax error is reported with its line and column`() {
        #expect(
            problems(file: "{\n  http: { port 9000 }\n}")
                == ["granary.json5:2:16: expected a colon, got '9'"])
    }

    @Test func `errors name variables and flags in their original form`() {
        #expect(
            problems(environment: ["GRANARY_HTTP_PROT": "1"])
                == ["GRANARY_HTTP_PROT: no such key, did you mean GRANARY_HTTP_PORT?"])
        #expect(
            problems(environment: ["GRANARY_LOG_LEVEL": "loud"])
                == ["GRANARY_LOG_LEVEL: log.level: expected one of debug, info, warning, error, got \"loud\""])
        #expect(
            problems(flags: [("http.port", "x")])
                == ["--http.port: http.port: expected a whole number from 0 to 65535, got \"x\""])
        #expect(
            problems(flags: [("http.poort", "1")]) == ["--http.poort: http.poort: no such key, did you mean http.port?"]
        )
    }

    @Test func `variables that an orchestrator defines for a service of the same name are ignored`() throws {
        let environment = [
            "GRANARY_SERVICE_HOST": "10.0.0.1", "GRANARY_PORT": "tcp://10.0.0.1:80", "GRANARY_PORT_80_TCP": "x",
        ]
        #expect(isDefault(try load(environment: environment)))
    }

    @Test func `problems of all sources are reported together`() {
        let all = problems(
            file: "{ a: 1 }", environment: ["GRANARY_HTTP_PORT": "x"], flags: [("http.loops", "many")])
        #expect(all.count == 3)
    }

    @Test func `the error for a missing file names it`() {
        #expect {
            try ConfigurationFile(readingFrom: "/nowhere/granary.json5")
        } throws: { error in
            "\(error)" == "/nowhere/granary.json5: could not be read: no such file"
        }
    }
}

import HTTPServer
import Testing

@testable import Granary

struct ProgramTests {
    private final class Output {
        var printed: [String] = []
        var complaints: [String] = []
        var served: [ServiceConfiguration] = []
        var limits: [Duration] = []
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "port 8080 is taken"
    }

    private func run(
        _ arguments: [String], environment: [String: String] = [:], failing: Bool = false, problems: [String] = [],
        lost: String? = nil, version: String? = nil
    ) async -> (status: Int32, output: Output) {
        let output = Output()
        let program = Program(
            arguments: arguments, environment: environment,
            identity: ProgramIdentity(name: "granary", version: version, executable: ""), table: .service,
            print: { output.printed.append($0) },
            printError: { output.complaints.append($0) },
            finish: { limit in
                output.limits.append(limit)
                return lost
            })
        let status = await program.run { _ in
            problems
        } serve: { configuration in
            output.served.append(configuration)
            if failing { throw Failure() }
        }
        return (status, output)
    }

    @Test func `serve receives the configuration from all sources`() async {
        let (status, output) = await run(
            ["serve", "--http.port", "9000"], environment: ["GRANARY_HTTP_HOST": "::1", "GRANARY_HTTP_PORT": "1"])
        #expect(status == 0)
        #expect(output.served.map(\.server.server.port) == [9000])
        #expect(output.served.map(\.server.server.host) == ["::1"])
    }

    @Test func `a server that cannot start prints one line and exits with status 1`() async {
        let (status, output) = await run(["serve"], failing: true)
        #expect(status == 1)
        #expect(output.complaints == ["granary: port 8080 is taken"])
    }

    @Test func `an invalid flag is named, and the server does not start`() async {
        let (status, output) = await run(["serve", "--http.port", "x"])
        #expect(status == 2)
        #expect(output.complaints == ["--http.port: http.port: expected a whole number from 0 to 65535, got \"x\""])
        #expect(output.served.isEmpty)
    }

    @Test func `an unknown command refers to the help`() async {
        let (status, output) = await run(["halth"])
        #expect(status == 2)
        #expect(
            output.complaints == [
                "no such command: halth, did you mean health?\nRun granary --help for a list of commands and flags."
            ])
    }

    @Test func `check-config prints every key but no secret`() async {
        let (status, output) = await run(["check-config"], environment: ["GRANARY_SERVICE_TOKEN": "hidden"])
        #expect(status == 0)
        #expect(output.printed.count == ConfigurationTable.service.keys.count)
        #expect(output.printed.contains("http.port = 8080"))
        #expect(output.printed.contains("service.token = set"))
        #expect(output.served.isEmpty)
    }

    @Test func `check-config reports the problems that would prevent a start, and prints nothing`() async {
        let (status, output) = await run(["check-config"], problems: ["/a.pem cannot be read.", "port"])
        #expect(status == 2)
        #expect(output.complaints == ["/a.pem cannot be read.", "port"])
        #expect(output.printed.isEmpty)
    }

    @Test func `output that cannot be written fails a command, but not a server`() async {
        var (status, output) = await run(["--version"], lost: "No space left on device")
        #expect(status == 1)
        #expect(output.complaints == ["granary: standard output could not be written: No space left on device"])
        (status, output) = await run(["check-config"], problems: ["port"], lost: "No space left on device")
        #expect(status == 2)
        (status, output) = await run(["serve"], lost: "No space left on device")
        #expect(status == 0)
        #expect(output.complaints.isEmpty)
        // A supervisor waits for the server, so its output has its own time limit.
        #expect(output.limits == [ProgramOutput.serverLimit])
    }

    @Test func `the flag for the configuration file takes precedence over the variable`() async {
        let (status, output) = await run(
            ["check-config", "--config", "/nowhere/flag"], environment: ["GRANARY_CONFIG": "/nowhere/variable"])
        #expect(status == 2)
        #expect(output.complaints == ["/nowhere/flag: could not be read: no such file"])
    }

    @Test func `the version and the defaults are printed`() async {
        #expect(await run(["--version"], version: "1.2.3").output.printed == ["granary 1.2.3"])
        let provenance = "granary 1.2.3\n\(BuildProvenance.current.text())"
        #expect(await run(["--version", "--verbose"], version: "1.2.3").output.printed == [provenance])
        #expect(await run(["--version"]).output.printed == ["granary (Granary \(GranaryVersion.current))"])
        let defaults = DefaultsDocument.text(of: .service, program: "granary")
        #expect(await run(["print-defaults"]).output.printed == [String(defaults.dropLast())])
    }

    @Test func `a program has the name of its executable unless it defines another`() {
        let identity = ProgramIdentity(name: nil, version: nil, executable: "/opt/bin/counter")
        #expect(identity.name == "counter" && identity.startupName == "counter")
        #expect(ProgramIdentity(name: "a", version: "1", executable: "/b").startupName == "a 1")
        #expect(ProgramIdentity(name: nil, version: nil, executable: "").name == "granary")
    }

    @Test func `ambiguous configuration keys prevent every command from running`() async {
        let key = ConfigurationKey<ServiceSettings>("http.port", \.retries, .number(in: 0...1), "A number.")
        var complaints: [String] = []
        let program = Program(
            arguments: ["--version"], environment: [:],
            identity: ProgramIdentity(name: "granary", version: nil, executable: ""),
            table: ConfigurationTable(settings: ServiceSettings(), keys: [key]), print: { _ in },
            printError: { complaints.append($0) }, finish: { _ in nil })
        let status = await program.run { _ in
            []
        } serve: { _ in
        }
        #expect(status == 1)
        #expect(complaints.first?.hasPrefix("granary: the configuration keys http.port and http.port") == true)
    }

    @Test func `health exits with status 1 for a port without a listener`() async {
        let (status, output) = await run(["health", "--http.port", "1"])
        #expect(status == 1)
        #expect(output.complaints == ["not ready: no response from 127.0.0.1 port 1"])
    }
}

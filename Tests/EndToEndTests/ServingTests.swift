import Foundation
import HTTPServerTesting
import Testing

struct ServingTests {
    private func session(at address: String) throws -> String {
        try Curl.run([
            "-o", "/dev/null", "-w", "%header{location}", "http://\(address)/v1/sessions", "-H",
            "Content-Type: application/json", "-d", #"{"machine":"counter"}"#,
        ])
    }

    private func text(_ handle: FileHandle, through marker: String) -> String {
        var text = ""
        while !text.contains(marker) {
            let data = handle.someData()
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }

    @Test func `an input changes the output of its stream, and a drain ends the stream`() throws {
        let granary = try GranaryProcess(["serve", "--http.port", "0"])
        let address = try #require(granary.address())
        let session = try session(at: address)
        #expect(session.contains(/^\/v1\/sessions\/[\w-]{22}$/))

        let stream = try Curl.start(["-N", "http://\(address)\(session)/outputs", "-H", "Accept: text/event-stream"])
        let snapshot = text(stream.output, through: "\"Disabled\"}\n\n")
        #expect(snapshot.contains("event: snapshot\n"))
        #expect(snapshot.contains("data: {\"count\":0,"))

        let answer = try Curl.run(["-X", "POST", "http://\(address)\(session)/inputs/increment"])
        #expect(answer == #"{"version":1,"changes":{"count":1}}"#)
        let change = text(stream.output, through: "data: {\"count\":1}\n\n")
        #expect(change.contains("event: change\n"))

        let end = granary.end(with: SIGTERM)
        #expect(end.status == 0)
        #expect(end.reason == .exit)
        let last = String(decoding: stream.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(last.contains("event: end\ndata: {\"reason\":\"draining\"}\n\n"))
    }

    @Test func `a server that was killed starts again on its port and does not know old sessions`() throws {
        let port = try HTTPTestHeldPort()
        let first = try GranaryProcess(["serve", "--http.port", "\(port.number)"])
        let address = try #require(first.address())
        let old = try session(at: address)
        #expect(first.end(with: SIGKILL).reason == .uncaughtSignal)

        let second = try GranaryProcess(["serve", "--http.port", "\(port.number)"])
        #expect(second.address() == address)
        let status = try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", "http://\(address)\(old)"])
        #expect(status == "404")
        #expect(try session(at: address) != old)
        withExtendedLifetime(port) {}
    }

    @Test func `a port in use results in one line and status 1`() throws {
        let first = try GranaryProcess(["serve", "--http.port", "0"])
        let address = try #require(first.address())
        let port = try #require(address.split(separator: ":").last)
        let outcome = try GranaryProcess(["serve", "--http.port", String(port)]).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.standardError.contains("Address already in use"))
        #expect(outcome.standardError.split(separator: "\n").count == 1)
    }

    @Test func `the committed file of defaults matches the printed one`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let committed = try String(contentsOf: root.appending(path: "Config/defaults.json5"), encoding: .utf8)
        #expect(try GranaryProcess(["print-defaults"]).outcome().standardOutput == committed)
    }

    @Test func `the program uses the demo's own keys, name and version`() throws {
        let check = try GranaryProcess(["check-config"], environment: ["GRANARY_GITHUB_TOKEN": "hidden"]).outcome()
        #expect(check.standardOutput.contains("\ngithub.token = set\n") && !check.standardOutput.contains("hidden"))
        let failure = try GranaryProcess(["check-config", "--github.baseURL", "api.github.com"]).outcome()
        #expect(
            failure.status == 2 && failure.standardError.contains("expected a URL that begins with http:// or https://")
        )
        #expect(try GranaryProcess(["--version"]).outcome().standardOutput.hasPrefix("granary "))
    }

    @Test func `an invalid value of a flag is reported, with status 2`() throws {
        let outcome = try GranaryProcess(["serve", "--http.port", "many"]).outcome()
        #expect(outcome.status == 2)
        #expect(
            outcome.standardError == "--http.port: http.port: expected a whole number from 0 to 65535, got \"many\"\n")
        #expect(outcome.standardOutput == "")
    }

    @Test func `the health command distinguishes a ready server from one that has stopped`() async throws {
        let port = try HTTPTestHeldPort()
        let granary = try GranaryProcess(["serve", "--http.port", "\(port.number)"])
        let address = try #require(granary.address())
        // The command waits for three seconds, in which a busy machine may not run the server.
        #expect(
            try await eventually {
                try GranaryProcess(["health", "--url", "http://\(address)"]).outcome().status == 0
            })
        _ = granary.end(with: SIGTERM)
        #expect(try GranaryProcess(["health", "--url", "http://\(address)"]).outcome().status == 1)
        withExtendedLifetime(port) {}
    }
}

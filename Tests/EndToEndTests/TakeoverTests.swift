import Foundation
import HTTPServer
import HTTPServerTesting
import Testing

/// The effect of SIGUSR2 on the built executable, which is copied to a separate folder so that it can be replaced.
/// Serialized, because each test runs several servers and clients.
@Suite(.serialized) struct TakeoverTests {
    private let program: ReplaceableProgram
    private var socket: String { program.folder.appending(path: "granary.sock").path() }

    init() throws {
        program = try ReplaceableProgram()
    }

    /// Starts a server that gives its successors and clients minutes, because a busy machine may need them.
    private func start(takeoverTimeout: String = "10m") throws -> GranaryProcess {
        try GranaryProcess(
            [
                "serve", "--http.listeners",
                "http://127.0.0.1:0,unix:\(socket),https://127.0.0.1:0,admin+http://127.0.0.1:0", "--tls.self-signed",
                "--log.level", "info", "--http.takeoverTimeout", takeoverTimeout, "--http.headTimeout", "10m",
                "--tls.handshakeTimeout", "10m",
            ], at: program.path)
    }

    /// Waits for the new server and returns its listeners.
    private func listeners(of granary: GranaryProcess) async throws -> [HTTPListener] {
        let pattern =
            /serves on (http:\S+)\nand on (unix:\S+)\nand on (https:\S+)\nand for operators on (http:\S+)\nwith .*\n/
        let found = try #require(await granary.nextAnnounced(pattern))
        return try [String(found.1), String(found.2), String(found.3), "admin+" + found.4].map { try HTTPListener($0) }
    }

    /// Makes the server replace itself; returns the process ID of the new server.
    private func takeOver(_ granary: GranaryProcess, from process: Int32) async throws -> Int32 {
        kill(process, SIGUSR2)
        let successor = try await granary.successor()
        #expect(successor != process)
        return successor
    }

    @Test func `three takeovers under a constant load of new connections refuse and reset none`() async throws {
        let granary = try start()
        let listeners = try await listeners(of: granary)
        let load = ConnectionLoad(on: listeners)
        await load.go(on: 20)
        var process = granary.process.processIdentifier
        for round in 0..<3 {
            if round > 0 { try program.install() }
            process = try await takeOver(granary, from: process)
            #expect(try await self.listeners(of: granary) == listeners)
            await load.go(on: 20)
        }
        let tallies = await load.end()
        for (listener, tally) in zip(listeners, tallies) {
            #expect(tally.refused == [], "\(listener)")
            #expect(tally.failed == [], "\(listener)")
            #expect(tally.answered >= 80, "\(listener)")
        }
        // The first server ends by itself; the last one ends on request and removes its socket file.
        let first = granary.process
        await onThread { first.waitUntilExit() }
        #expect(granary.process.terminationStatus == 0)
        kill(process, SIGTERM)
        #expect(granary.outcome().standardError.contains("stopped"))
        #expect(!FileManager.default.fileExists(atPath: socket))
        try program.remove()
    }

    @Test func `streams end when their server drains, and reconnecting clients reach the new server`() async throws {
        let granary = try start()
        let listeners = try await listeners(of: granary)
        let url = "\(listeners[0])"
        let session = try Curl.run([
            "-o", "/dev/null", "-w", "%header{location}", "\(url)/v1/sessions", "-H", "Content-Type: application/json",
            "-d", #"{"machine":"counter"}"#,
        ])
        let stream = try Curl.start(["-N", "\(url)\(session)/outputs", "-H", "Accept: text/event-stream"])
        #expect(!stream.output.someData().isEmpty)
        let successor = try await takeOver(granary, from: granary.process.processIdentifier)
        let last = String(decoding: stream.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(last.contains(/retry: \d+\n/))
        #expect(last.contains("event: end\ndata: {\"reason\":\"draining\"}\n\n"))
        #expect(try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", "\(url)/health/ready"]) == "200")
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test func `if a new server fails to start or dies, the old one continues`() async throws {
        let granary = try start()
        let listeners = try await listeners(of: granary)
        let process = granary.process.processIdentifier
        let load = ConnectionLoad(on: listeners)
        let faulty = [
            ("#!/bin/sh\nexit 3\n", "the new server exited before it was ready"),
            ("no program", "could not be started: Exec format error"),
        ]
        for (content, reason) in faulty {
            try program.install(Data(content.utf8))
            kill(process, SIGUSR2)
            let line = try #require(
                await granary.logged(/takeover failed, the old server continues (.*)\n/))
            #expect(line.1.contains(reason), "\(line.1)")
            await load.go(on: 5)
        }
        try FileManager.default.removeItem(atPath: program.path)
        kill(process, SIGUSR2)
        let line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("No such file or directory"))
        await load.go(on: 5)
        let tallies = await load.end()
        #expect(tallies.allSatisfy { $0.refused.isEmpty && $0.failed.isEmpty })
        // After these failures, a working server can still take over.
        try program.install()
        let successor = try await takeOver(granary, from: process)
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test func `if a new server is too slow, the old one ends it and continues`() async throws {
        let granary = try start(takeoverTimeout: "1s")
        let listeners = try await listeners(of: granary)
        let process = granary.process.processIdentifier
        let load = ConnectionLoad(on: listeners)
        try program.install(script: "exec sleep 600")
        kill(process, SIGUSR2)
        let started = try #require(await granary.logged(/new server started pid=(\d+)\n/))
        let successor = try #require(Int32(started.1))
        var line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("the new server was not ready within http.takeoverTimeout"), "\(line.1)")
        #expect(kill(successor, 0) != 0)
        await load.go(on: 5)
        // The next attempt is independent of this one. It fails immediately, because a working server may need more than a second.
        try program.install(Data("no program".utf8))
        kill(process, SIGUSR2)
        line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("could not be started: Exec format error"), "\(line.1)")
        await load.go(on: 5)
        let tallies = await load.end()
        #expect(tallies.allSatisfy { $0.refused.isEmpty && $0.failed.isEmpty })
        #expect(granary.end(with: SIGTERM).status == 0)
        try program.remove()
    }

    @Test func `a changed symbolic link leads to the new program`() async throws {
        for name in ["a", "b"] {
            let version = program.folder.appending(path: name)
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try program.install()
            try #require(rename(program.path, version.appending(path: "granary").path()) == 0)
        }
        let current = program.folder.appending(path: "current").path()
        try #require(symlink("a", current) == 0)
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0", "--http.takeoverTimeout", "10m"], at: "\(current)/granary")
        _ = try #require(await granary.nextAnnounced(/serves on http:\S+\n/))
        let next = program.folder.appending(path: "next").path()
        try #require(symlink("b", next) == 0 && rename(next, current) == 0)
        let successor = try await takeOver(granary, from: granary.process.processIdentifier)
        let running = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(successor)/exe")
        #expect(running.hasSuffix("/b/granary"))
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test func `a server that ends while its successor starts also ends the successor`() async throws {
        let granary = try start()
        _ = try await listeners(of: granary)
        try program.install(script: "exec sleep 600")
        kill(granary.process.processIdentifier, SIGUSR2)
        let started = try #require(await granary.logged(/new server started pid=(\d+)\n/))
        let process = try #require(Int32(started.1))
        kill(granary.process.processIdentifier, SIGUSR2)
        #expect(await granary.logged(/takeover refused reason="another takeover is in progress"\n/) != nil)
        #expect(granary.end(with: SIGTERM).status == 0)
        #expect(kill(process, 0) != 0)
        try program.remove()
    }
}

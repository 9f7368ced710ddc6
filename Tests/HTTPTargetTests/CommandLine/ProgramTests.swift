import Foundation
import HTTPServerTesting
import Testing

/// The built binary.
@Suite struct ProgramTests {
    private func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle, errors: FileHandle) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        // The executable is in the same folder as the test bundle.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "http-target")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, output.fileHandleForReading, errors.fileHandleForReading)
    }

    @Test func `the program reports its address, serves there and ends on a signal`() throws {
        let program = try start(["--port", "0", "--tls-port", "0", "--self-signed", "--loops", "1"])
        let line = String(decoding: program.output.availableData, as: UTF8.self)
        let match = try #require(
            line.wholeMatch(
                of: /http-target serves on http:\/\/127\.0\.0\.1:(\d+) and on https:\/\/127\.0\.0\.1:(\d+)\n/))
        let client = try HTTPTestClient(port: try #require(UInt16(match.1)))
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().body.count == 2048)
        let secure = try HTTPTestClient(port: try #require(UInt16(match.2)))
        try secure.beginTLS(TLSTestOptions(protocols: ["http/1.1"]))
        try secure.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try secure.receiveResponse().status == 200)
        program.process.terminate()
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == 0)
        #expect(program.process.terminationReason == .exit)
    }

    @Test(arguments: [
        (["--port", "x"], 2 as Int32, "--port expects a number from 0 to 65535, got x."),
        (["--certificate", "/nowhere.pem", "--key", "/nowhere.key"], 1, "http-target: "),
        (["--host", "192.0.2.1", "--port", "0"], 1, "http-target: "),
    ])
    func `the program reports a failed start`(_ arguments: [String], _ status: Int32, _ complaint: String) throws {
        let program = try start(arguments)
        let complained = String(decoding: program.errors.readDataToEndOfFile(), as: UTF8.self)
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == status)
        #expect(complained.contains(complaint))
    }

    @Test func `the help is printed`() throws {
        let program = try start(["--help"])
        let printed = String(decoding: program.output.readDataToEndOfFile(), as: UTF8.self)
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == 0)
        #expect(printed.hasPrefix("http-target [options]"))
    }
}

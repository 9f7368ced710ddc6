import Foundation
import HTTPServer
import HTTPServerTesting
import MachineHost
import MachineTesting
import TLS
import Testing

@testable import Granary

struct ServerTests {
    private func server(port: UInt16 = 0, machines: [MachineDefinition]? = nil) -> Server {
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount) = (port, 1)
        configuration.extendTimeouts()
        return Server(
            configuration: configuration, machines: machines ?? [ScriptedMachine.definition(outputs: ["text"])])
    }

    private func status(_ method: String, _ path: String, body: String = "", of server: Server) throws -> Int {
        let client = try HTTPTestClient(port: try #require(server.port))
        defer { client.close() }
        try client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try client.receiveResponse().status
    }

    @Test func `two servers run in one process, and each can start again after it has stopped`() async throws {
        let servers = [server(), server()]
        for server in servers {
            #expect(server.port == nil && server.listeners.isEmpty)
            try server.start()
        }
        #expect(servers[0].port != servers[1].port)
        for server in servers {
            #expect(try status("GET", "/health/ready", of: server) == 200)
            #expect(try status("POST", "/v1/sessions", body: "{\"machine\":\"scripted\"}", of: server) == 201)
        }
        await servers[0].stop()
        #expect(servers[0].port == nil)
        #expect(try status("GET", "/", of: servers[1]) == 200)
        try servers[0].start()
        #expect(try status("GET", "/", of: servers[0]) == 200)
        for server in servers { await server.stop() }
        #expect(servers.allSatisfy { $0.port == nil })
        await servers[0].stop()
    }

    @Test func `the error for a port in use names it, and the server can be started later`() async throws {
        let port = try HTTPTestHeldPort()
        let (first, second) = (server(port: port.number), server(port: port.number))
        try first.start()
        let error = #expect(throws: ServerError.self) { try second.start() }
        #expect(error?.description.contains("Address already in use") == true)
        #expect(error?.cause != nil && second.port == nil)
        await first.stop()
        try second.start()
        #expect(second.port == port.number)
        await second.stop()
        withExtendedLifetime(port) {}
    }

    @Test func `a server does not change the signals of its process, even if it watches certificates`() async {
        // In a process of its own, because signals belong to the process, and other tests change them.
        await #expect(processExitsWith: .success) {
            /// The signals that the process ignores and handles.
            func signals() throws -> [Substring] {
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                return status.split(separator: "\n").filter { $0.hasPrefix("SigIgn") || $0.hasPrefix("SigCgt") }
            }
            let folder = try CertificateFolder()
            try folder.write(try .selfSigned())
            var configuration = Configuration()
            (configuration.server.port, configuration.server.loopCount) = (0, 1)
            configuration.tls = folder.configuration("a")
            configuration.tls.port = 0
            let server = Server(configuration: configuration, machines: [])
            let before = try signals()
            try server.start()
            try #require(server.listeners.count == 2 && server.listeners.last?.isSecure == true)
            try #require(try signals() == before && before.count == 2)
            await server.stop()
            try #require(try signals() == before)
        }
    }

    @Test func `starting fails for machines that cannot be hosted and for a server that already runs`() async throws {
        let definition = ScriptedMachine.definition(outputs: ["text"])
        let twice = server(machines: [definition, definition])
        let error = #expect(throws: ServerError.self) { try twice.start() }
        #expect(error?.description.contains("scripted") == true)
        let running = server()
        try running.start()
        #expect(throws: ServerError.self) { try running.start() }
        #expect(running.port != nil)
        await running.stop()
    }
}

import CLinux
import Foundation
import HTTPServer
import HTTPServerTesting
import ProcessLifecycle
import Testing

/// The built executable under a supervisor that opens its sockets and receives its notifications.
struct SupervisedServingTests {
    private let supervisor: SupervisorSocket
    /// The sockets of the public listener and of the admin listener.
    private let sockets: [Int32]
    private let ports: [UInt16]

    init() throws {
        supervisor = try SupervisorSocket()
        var options = granary_listen_options()
        options.backlog = 64
        var ports: [UInt16] = [0, 0]
        sockets = ports.indices.map { granary_listen("127.0.0.1", &options, &ports[$0]) }
        try #require(sockets.allSatisfy { $0 >= 0 })
        self.ports = ports
    }

    /// Starts the executable like a supervisor, which knows the process ID only after the start.
    private func start(_ names: String = "http:admin+http") throws -> Int32 {
        let script = "LISTEN_PID=$$ exec \"$0\" serve --http.port 0 --http.loops 2 >/dev/null 2>&1"
        let words = ["sh", "-c", script, try GranaryProcess.binary.path()]
        let nextNotification = ["LISTEN_FDS": "2", "LISTEN_FDNAMES": names, "NOTIFY_SOCKET": supervisor.name]
        let variables = GranaryProcess.environment.merging(nextNotification) { $1 }
        return try ChildProcess.start("/bin/sh", words, environment: variables, descriptors: sockets).identifier
    }

    /// Waits for the end of a child process; returns its exit status.
    private func end(of process: Int32) async -> Int32 {
        await onThread {
            Int32(ChildProcess(identifier: process).waitForExit())
        }
    }

    private func nextNotification() async throws -> String {
        try await onThread { [supervisor] in Result { try supervisor.next() } }.get()
    }

    private func status(_ path: String, port: UInt16) throws -> Int {
        let client = try HTTPTestClient(port: port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try client.receiveResponse().status
    }

    private func closeSockets() {
        for socket in sockets { granary_close(socket) }
    }

    @Test func `inherited sockets pass to the next server, and each server notifies the supervisor`() async throws {
        let first = try start()
        #expect(try await nextNotification() == "READY=1")
        for _ in 0..<4 {
            #expect(try status("/v1/machines", port: ports[0]) == 200)
            #expect(try status("/v1/machines", port: ports[1]) == 404)
            #expect(try status("/health/ready", port: ports[1]) == 200)
        }
        kill(first, SIGUSR2)
        #expect(try await nextNotification().contains(/^RELOADING=1\nMONOTONIC_USEC=\d+$/))
        let change = try await nextNotification()
        let successor = try #require(
            change.firstMatch(of: /^MAINPID=(\d+)\nREADY=1$/).flatMap { Int32($0.1) }, "\(change)")
        #expect(successor != first)
        // Its sockets come from the predecessor. A process that read these variables would use other descriptors.
        let environment = try String(contentsOfFile: "/proc/\(successor)/environ", encoding: .utf8)
        #expect(environment.contains("NOTIFY_SOCKET="))
        #expect(!environment.contains("LISTEN_"))
        #expect(await end(of: first) == 0)
        #expect(try status("/v1/machines", port: ports[0]) == 200)
        #expect(try status("/v1/machines", port: ports[1]) == 404)
        kill(successor, SIGTERM)
        #expect(try await nextNotification() == "STOPPING=1")
        // The supervisor keeps the sockets open, so new connections wait for the next server.
        let waiting = try HTTPTestClient(port: ports[0])
        try waiting.send("GET /v1/machines HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let third = try start()
        #expect(try await nextNotification() == "READY=1")
        #expect(try waiting.receiveResponse().status == 200)
        kill(third, SIGTERM)
        #expect(await end(of: third) == 0)
        closeSockets()
    }

    @Test func `a server does not start with an inherited socket of an unknown name`() async throws {
        #expect(await end(of: try start("http:admin+htp")) == 1)
        #expect(supervisor.received() == [])
        closeSockets()
    }
}

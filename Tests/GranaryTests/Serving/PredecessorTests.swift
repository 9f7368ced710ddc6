import CLinux
import Glibc
import HTTPServer
import Testing

@testable import Granary

struct PredecessorTests {
    @Test func `a server that was not started by another server has no predecessor`() throws {
        #expect(try Predecessor(environment: ["PATH": "/bin"]) == nil)
    }

    @Test(arguments: ["", "x", "3", "-1 predecessor", "2 predecessor", "999999 predecessor", "3 nobody 4=a"])
    func `an invalid variable is rejected`(_ text: String) {
        let error = #expect(throws: OperatorError.self) { try Predecessor(environment: [Predecessor.variable: text]) }
        #expect(error?.description.contains(text) == true)
    }

    private func channel() throws -> (ours: Int32, predecessor: Predecessor) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let text = "\(ends[1]) predecessor"
        return (ends[0], try #require(try Predecessor(environment: [Predecessor.variable: text])))
    }

    private func receive(_ descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }

    @Test func `a successor receives the sessions with their lock, and begins with the consent`() throws {
        let (ours, predecessor) = try channel()
        let file = open("/dev/null", O_RDONLY)
        // The predecessor replies before the successor reports: the order of the two must not matter.
        #expect(granary_send_descriptor(ours, Predecessor.sessions, file) == 0)
        guard case .sessions(let lock?) = predecessor.awaitLegacy() else {
            Issue.record("expected sessions with a lock")
            return
        }
        var (sent, received) = (stat(), stat())
        #expect(fstat(file, &sent) == 0 && fstat(lock, &received) == 0 && sent.st_rdev == received.st_rdev)
        #expect(fcntl(lock, F_GETFD) == FD_CLOEXEC)
        #expect(granary_send_descriptor(ours, Predecessor.consent, -1) == 0)
        predecessor.confirm()
        #expect(receive(ours) == Predecessor.readiness)
        #expect(receive(ours) == Predecessor.confirmation)
        for descriptor in [ours, file, lock] { close(descriptor) }
    }

    @Test func `a successor receives connections until the predecessor ends`() throws {
        let (ours, predecessor) = try channel()
        #expect(granary_send_descriptor(ours, Predecessor.sessions, -1) == 0)
        _ = predecessor.awaitLegacy()
        #expect(granary_send_descriptor(ours, Predecessor.consent, -1) == 0)
        predecessor.confirm()
        let (reading, writing) = try pipe()
        predecessor.receiveConnections { descriptor in
            _ = send(descriptor, "x", 1, 0)
            close(descriptor)
        }
        for _ in 0..<3 {
            let connection = try pipe()
            // What it does not know, and a connection that got lost because no descriptor was left.
            #expect(granary_send_descriptor(ours, UInt8(ascii: "?"), writing) == 0)
            #expect(granary_send_descriptor(ours, Predecessor.request, -1) == 0)
            #expect(granary_send_descriptor(ours, Predecessor.request, connection.theirs) == 0)
            close(connection.theirs)
            #expect(receive(connection.ours) == UInt8(ascii: "x") && receive(connection.ours) == nil)
            close(connection.ours)
        }
        for descriptor in [Predecessor.readiness, Predecessor.confirmation] { #expect(receive(ours) == descriptor) }
        shutdown(ours, Int32(SHUT_WR))
        #expect(receive(ours) == nil)
        for descriptor in [ours, reading, writing] { close(descriptor) }
    }

    private func pipe() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a successor of a server that stores nothing receives no lock`() throws {
        let (ours, predecessor) = try channel()
        #expect(granary_send_descriptor(ours, Predecessor.sessions, -1) == 0)
        #expect(predecessor.awaitLegacy() == .sessions(lock: nil))
        // The end of the predecessor is its consent.
        shutdown(ours, Int32(SHUT_WR))
        predecessor.confirm()
        #expect(receive(ours) == Predecessor.readiness)
        #expect(receive(ours) == Predecessor.confirmation)
        predecessor.receiveConnections { close($0) }
        #expect(receive(ours) == nil)
        close(ours)
    }

    @Test(arguments: [true, false])
    func `a predecessor of an older version, or one that has ended, leaves its sockets only`(_ consents: Bool) throws {
        let (ours, predecessor) = try channel()
        if consents { #expect(send(ours, "G", 1, 0) == 1) } else { shutdown(ours, Int32(SHUT_WR)) }
        #expect(predecessor.awaitLegacy() == .sockets)
        #expect(receive(ours) == Predecessor.readiness)
        // The successor sends nothing else.
        #expect(receive(ours) == nil)
        close(ours)
    }

    @Test func `the text for a successor has the control socket first and the listening sockets after it`() {
        let sockets = InheritedSockets(
            origin: .predecessor,
            sockets: [.init(descriptor: 40, name: "127.0.0.1:80"), .init(descriptor: 41, name: "unix:/a")])
        #expect(Predecessor.text(sockets, first: 3) == "3 predecessor 4=127.0.0.1:80 5=unix:/a")
    }
}

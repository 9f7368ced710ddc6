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
        let error = #expect(throws: TakeoverError.self) { try Predecessor(environment: [Predecessor.variable: text]) }
        #expect(error?.description.contains(text) == true)
    }

    @Test(arguments: [true, false])
    func `a successor reports readiness and waits for consent or for the end of its predecessor`(
        _ consents: Bool
    ) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let predecessor = try #require(
            try Predecessor(environment: [Predecessor.variable: "\(ends[1]) predecessor"]))
        // The predecessor replies before the successor reports: the order of the two must not matter.
        if consents { #expect(send(ends[0], "G", 1, 0) == 1) } else { shutdown(ends[0], Int32(SHUT_WR)) }
        predecessor.awaitConsent()
        var byte: UInt8 = 0
        #expect(recv(ends[0], &byte, 1, 0) == 1)
        #expect(byte == Predecessor.readiness)
        // The successor sends nothing else.
        #expect(recv(ends[0], &byte, 1, 0) <= 0)
        close(ends[0])
    }

    @Test func `the text for a successor has the control socket first and the listening sockets after it`() {
        let sockets = InheritedSockets(
            origin: .predecessor,
            sockets: [.init(descriptor: 40, name: "127.0.0.1:80"), .init(descriptor: 41, name: "unix:/a")])
        #expect(Predecessor.text(sockets, first: 3) == "3 predecessor 4=127.0.0.1:80 5=unix:/a")
    }
}

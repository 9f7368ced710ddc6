import HTTPServer
import Testing

@testable import Granary

struct PredecessorTests {
    @Test func `a server that was started by no other has no predecessor`() throws {
        #expect(try Predecessor(environment: ["PATH": "/bin"]) == nil)
    }

    @Test(arguments: ["", "x", "3", "-1 predecessor", "2 predecessor", "999999 predecessor", "3 nobody 4=a"])
    func `a variable that no server sets is refused`(_ text: String) {
        let error = #expect(throws: TakeoverError.self) { try Predecessor(environment: [Predecessor.variable: text]) }
        #expect(error?.description.contains(text) == true)
    }

    @Test func `a successor gets the line first and the sockets behind it`() {
        let sockets = InheritedSockets(
            origin: .predecessor,
            sockets: [.init(descriptor: 40, name: "127.0.0.1:80"), .init(descriptor: 41, name: "unix:/a")])
        #expect(Predecessor.text(sockets, first: 3) == "3 predecessor 4=127.0.0.1:80 5=unix:/a")
    }
}

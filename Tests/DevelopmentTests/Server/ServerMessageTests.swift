import CLinux
import Dispatch
import Testing

@testable import Development

struct ServerMessageTests {
    @Test(arguments: [
        ("READY=1", ServerNotification.ready(process: nil)), ("MAINPID=42\nREADY=1", .ready(process: 42)),
        ("MAINPID=-1\nREADY=1", .ready(process: nil)), ("MAINPID=0\nREADY=1", .ready(process: nil)),
        ("RELOADING=1\nMONOTONIC_USEC=5", .other), ("STOPPING=1", .other), ("", .other),
    ])
    func `a status is read as systemd reads it`(text: String, expected: ServerNotification) {
        #expect(ServerNotification(text) == expected)
    }

    @Test func `a changed shape names the machine`() {
        let problem = ServerProblem(
            output: """
                level=info message="starting"
                app: machine "my "draft"": the shape of its state changed, the version did not: store.0.body is missing.
                app ended
                """)
        #expect(problem.machine == #"my "draft""#)
        #expect(problem.text.hasPrefix("app: machine"))
    }

    @Test func `any other problem is the last lines of the output`() {
        let problem = ServerProblem(output: (0..<30).map { "line \($0)" }.joined(separator: "\n"))
        #expect(problem.machine == nil)
        #expect(problem.text.hasPrefix("line 10\n") && problem.text.hasSuffix("line 29"))
        #expect(ServerProblem(output: "").text == "the server ended without a message")
    }

    @Test func `notifications arrive on a socket without a file`() async throws {
        let socket = try NotificationSocket()
        let received = await withCheckedContinuation { continuation in
            socket.begin(on: DispatchQueue(label: "test")) { continuation.resume(returning: $0) }
            let text = Array("MAINPID=7\nREADY=1".utf8)
            #expect(granary_send_datagram(socket.name, text, text.count) == 0)
        }
        #expect(received == .ready(process: 7))
        withExtendedLifetime(socket) {}
    }
}

import HTTPServer
import Testing

@testable import Granary

struct RelaunchTests {
    @Test
    func `a successor inherits the environment without the supervisor's sockets, which its predecessor passes on`() {
        let relaunch = Relaunch(
            arguments: ["granary"],
            environment: [
                "PATH": "/bin", "NOTIFY_SOCKET": "/run/notify", "LISTEN_PID": "7", "LISTEN_FDS": "1",
                "LISTEN_FDNAMES": "http", Predecessor.variable: "3 predecessor",
            ])
        let sockets = InheritedSockets(
            origin: .supervisor, sockets: [.init(descriptor: 40, name: "http")])
        #expect(
            relaunch.variables(handingOver: sockets)
                == ["PATH": "/bin", "NOTIFY_SOCKET": "/run/notify", Predecessor.variable: "3 supervisor 4=http"])
    }
}

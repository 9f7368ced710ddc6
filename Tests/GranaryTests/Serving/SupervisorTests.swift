import HTTPServerTesting
import Log
import Testing

@testable import Granary

struct SupervisorTests {
    @Test(arguments: [false, true])
    func `a supervisor receives notifications in its protocol`(_ isAbstract: Bool) throws {
        let socket = try SupervisorSocket(isAbstract: isAbstract)
        let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": socket.name], log: .silent)
        supervisor.notify(.ready)
        supervisor.notify(.reloading(at: 12))
        supervisor.notify(.readyAs(process: 34))
        supervisor.notify(.stopping)
        #expect(
            socket.received() == ["READY=1", "RELOADING=1\nMONOTONIC_USEC=12", "MAINPID=34\nREADY=1", "STOPPING=1"])
        supervisor.notifyReloading()
        let text = socket.received().joined()
        let microseconds = text.firstMatch(of: /^RELOADING=1\nMONOTONIC_USEC=(\d+)$/).flatMap { Int($0.1) }
        #expect(microseconds.map { $0 > 1_000_000 } == true, "\(text)")
    }

    @Test(arguments: [
        [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:1234"], ["NOTIFY_SOCKET": "/nowhere/at/all"],
    ])
    func `without a supervisor, notifications do nothing`(_ environment: [String: String]) {
        let lines = LogLines()
        let supervisor = Supervisor(environment: environment, log: lines.log)
        supervisor.notify(.ready)
        #expect(
            lines.all
                == (environment.values.contains("/nowhere/at/all") ? ["the supervisor could not be notified"] : []))
    }
}

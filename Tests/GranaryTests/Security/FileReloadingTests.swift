import Dispatch
import Glibc
import Log
import Testing

@testable import Granary

struct FileReloadingTests {
    // The default action of SIGHUP would end the tests.
    @Test func `without files, SIGHUP is only logged`() {
        let isLogged = DispatchSemaphore(value: 0)
        let log = Log(level: .info) { event in
            if event.message.hasPrefix("SIGHUP has no effect") { isLogged.signal() }
        }
        let reloading = FileReloading(interval: .seconds(10), log: log)
        reloading.begin([], onHangUpFor: Supervisor(environment: [:], log: log))
        kill(getpid(), SIGHUP)
        #expect(isLogged.wait(timeout: .now() + 300) == .success)
        reloading.end()
    }
}

import CLinux
import Glibc
import HTTPModel
import Log
import Testing

@testable import HTTPServer

/// Failures because of too many open descriptors do not leak descriptors. Each test runs in a separate process,
/// because the limit applies to the process.
@Suite struct DescriptorLeakTests {
    /// The descriptors of this process, with a limit that allows only a few more.
    private struct Descriptors {
        private let first: Int32

        init() {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // The process inherits descriptors of the tests that run at the same time, of which there may be thousands.
            let numbers = 0..<Int32(clamping: limit.rlim_cur)
            let highest = numbers.last { fcntl($0, F_GETFD) >= 0 } ?? 0
            // All numbers below the first new one are in use, so the limit counts only new descriptors.
            var last = granary_spare_descriptor()
            while last >= 0, last < highest { last = granary_spare_descriptor() }
            guard last >= 0 else { exit(4) }
            first = last + 1
        }

        /// Allows `room` more descriptors during the closure. Returns the number of descriptors that it leaks.
        func leaked(room: Int, _ body: () -> Void) -> Int {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit.rlim_cur
            limit.rlim_cur = rlim_t(Int(first) + room)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            body()
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return (first..<(first + 64)).count { fcntl($0, F_GETFD) >= 0 }
        }
    }

    @Test func `a loop that cannot open all of its descriptors closes the first ones`() async {
        await #expect(processExitsWith: .success) {
            let descriptors = Descriptors()
            for room in 0..<3 {
                var hasFailed = false
                let leaked = descriptors.leaked(room: room) {
                    do {
                        _ = try EpollEventLoop(index: 0, count: 1)
                    } catch {
                        hasFailed = true
                    }
                }
                guard hasFailed, leaked == 0 else { exit(1) }
            }
        }
    }

    @Test func `if a socket cannot be shared with all loops, all copies are closed`() async {
        await #expect(processExitsWith: .success) {
            let listeners = ["/a", "/b"].map { path in
                BoundListener(
                    listener: HTTPListener(.unix(path: path)), name: path, descriptors: [granary_spare_descriptor()],
                    file: nil)
            }
            let set = ListenerSet(bound: listeners, abandoned: [])
            let descriptors = Descriptors()
            var hasFailed = false
            let leaked = descriptors.leaked(room: 1) {
                do {
                    _ = try set.sockets(forLoops: 2)
                } catch {
                    hasFailed = true
                }
            }
            guard hasFailed, leaked == 0 else { exit(1) }
        }
    }

    @Test func `a listener that cannot be watched closes its spare descriptor`() async {
        await #expect(processExitsWith: .success) {
            guard let loop = try? EpollEventLoop(index: 0, count: 1) else { exit(2) }
            loop.takeManualControl(ManualClock(nanoseconds: 1))
            let serverLoop = ServerLoop(
                loop: loop, configuration: HTTPServerConfiguration(), gauge: ConnectionGauge(loops: 1, limit: 1) {},
                log: .silent)
            // epoll does not support regular files.
            let file = ListeningSocket(
                granary_spare_descriptor(), of: HTTPListener(.unix(path: "/a")), isShared: false)
            let descriptors = Descriptors()
            loop.execute {
                var hasFailed = false
                let leaked = descriptors.leaked(room: 8) {
                    do {
                        try serverLoop.listen(on: file)
                    } catch {
                        hasFailed = true
                    }
                }
                exit(hasFailed && leaked == 0 ? 0 : 1)
            }
            _ = loop.runRoundManually()
            exit(3)
        }
    }
}

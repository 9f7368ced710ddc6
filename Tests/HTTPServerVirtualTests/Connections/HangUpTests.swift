import CLinux
import Foundation
import Glibc
import Testing

/// The ends of in-memory connections.
@Suite struct HangUpTests {
    /// A process that is being started has a copy of the descriptor for a moment, for which another thread stands here.
    @Test(arguments: [false, true])
    func `the other end sees the end of a connection of which a copy is still open`(isReset: Bool) throws {
        var ends: [Int32] = [-1, -1]
        #expect(granary_memory_pair(&ends, 0) == 0)
        let copy = fcntl(ends[0], F_DUPFD_CLOEXEC, 0)
        #expect(copy >= 0)
        let other = Thread {
            usleep(20_000)
            granary_close(copy)
        }
        other.start()
        let identity = granary_socket_identity(ends[1])
        if isReset {
            granary_reset_pair(ends[0], ends[1], identity)
        } else {
            granary_close_pair(ends[0], ends[1], identity)
        }
        var byte: UInt8 = 0
        #expect(granary_receive(ends[1], &byte, 1) == (isReset ? -Int(ECONNRESET) : 0))
        granary_close(ends[1])
    }
}

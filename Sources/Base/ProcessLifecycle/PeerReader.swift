import CLinux
public import Dispatch
import Foundation
import Glibc
import Locking

/// Reads a pipe or a socket whose other end may be closed.
///
/// A thread with blocking calls, because a read source of Dispatch crashes: when the other end is closed, libdispatch on
/// Linux uses its record of the descriptor after it has freed it (issue 949 of swift-corelibs-libdispatch).
public enum PeerReader {
    /// Starts to read. The thread reads on when the queue has handled what it has read.
    ///
    /// - Parameters:
    ///   - descriptor: The pipe or socket, which is closed on the queue after the last call. To end a socket early, shut it
    ///     down.
    ///   - capacity: The largest number of bytes of a call.
    ///   - queue: The queue on which the closure is called. A closure may be used on it only.
    ///   - receive: Receives bytes as they arrive, and once no bytes at the end.
    public static func begin(
        _ descriptor: Int32, capacity: Int, on queue: DispatchQueue, _ receive: @escaping ([UInt8]) -> Void
    ) {
        // Called on the queue only.
        let receive = UnsafeTransfer(receive)
        Thread.detachNewThread {
            while true {
                let bytes = next(descriptor, capacity)
                queue.sync {
                    receive.value(bytes)
                    if bytes.isEmpty { close(descriptor) }
                }
                if bytes.isEmpty { return }
            }
        }
    }

    /// Waits for bytes. Returns none at the end, and after an error.
    private static func next(_ descriptor: Int32, _ capacity: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            while true {
                let read = Glibc.read(descriptor, buffer.baseAddress, capacity)
                if read >= 0 { return count = read }
                switch errno {
                case EINTR: continue
                case EAGAIN: _ = granary_await_readable(descriptor, -1)
                default: return
                }
            }
        }
    }
}

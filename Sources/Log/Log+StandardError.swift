import Glibc

extension Log {
    /// A log that writes one line an event to standard error. A line is one `write`, so that lines of several threads
    /// do not mix; what cannot be written (a closed pipe, a full disk) is lost, since a server must not stop for its log.
    public static func standardError(level: LogLevel, format: LogFormat) -> Log {
        Log(level: level) { event in
            var line = format.line(of: event, at: .now)
            line.withUTF8 { writeAll($0) }
        }
    }

    private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = UnsafeRawBufferPointer(bytes)
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = write(STDERR_FILENO, start, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            } else if errno != EINTR {
                return
            }
        }
    }
}

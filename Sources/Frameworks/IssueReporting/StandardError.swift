import Glibc

/// The destination of issues that no handler receives.
package enum StandardError {
    /// Writes as much of a text as possible without blocking, because the caller may be an event loop.
    package static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, 0) == 1 else { return }
                // Up to this size a pipe that is writable takes the bytes without waiting (POSIX calls it PIPE_BUF).
                let written = Glibc.write(STDERR_FILENO, rest.baseAddress, min(rest.count, 4096))
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
        }
    }
}

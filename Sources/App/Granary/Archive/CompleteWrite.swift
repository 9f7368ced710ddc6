import Glibc

extension UnsafeRawBufferPointer {
    /// Passes the bytes to a system call until it has taken all of them. Returns whether it has; otherwise, `errno` says why.
    func writeAll(_ call: (UnsafeRawBufferPointer) -> Int) -> Bool {
        var rest = self
        while !rest.isEmpty {
            let count = call(rest)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Writes the bytes to a file. Returns whether all were written; otherwise, `errno` says why.
    func write(to descriptor: Int32) -> Bool { writeAll { Glibc.write(descriptor, $0.baseAddress, $0.count) } }
}

import Glibc

/// Where people read what nobody else wanted to hear.
enum StandardError {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
        }
    }
}

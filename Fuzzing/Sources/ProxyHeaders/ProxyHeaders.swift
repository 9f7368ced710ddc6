import Fuzz

@testable import HTTPModel
@testable import HTTPServer

/// Headers of the PROXY protocol: a header is incomplete until its last byte, does not depend on the bytes after it,
/// and its client's address survives a round trip through both versions.
@main enum ProxyHeaders {
    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        check(Array(input.rest.prefix(ProxyHeader.maxLength)))
    }

    /// Copies the bytes into memory of exactly their size, so that the sanitizer detects reads beyond their end.
    private static func read(_ bytes: some Collection<UInt8>) -> ProxyHeader.Reading {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return ProxyHeader.read(UnsafeRawBufferPointer(copy))
    }

    private static func check(_ bytes: [UInt8]) {
        let reading = read(bytes)
        // All lengths that a line of text can have, and some longer ones.
        let counts = Array(0..<min(120, bytes.count)) + Array(stride(from: 120, to: bytes.count, by: 61))
        var isOpen = true
        for count in counts {
            let part = read(bytes[..<count])
            if !isOpen || part != .unfinished {
                Fuzzer.expect(part == reading, "the first \(count) bytes are \(part), all are \(reading)")
                isOpen = false
            }
        }
        guard case .whole(let header, let count) = reading else { return }
        Fuzzer.expect(count > 0 && count <= bytes.count, "a header of \(count) bytes of \(bytes.count)")
        Fuzzer.expect(read(bytes[..<count]) == reading, "\(reading) depends on what follows it")
        Fuzzer.expect(read(bytes[..<(count - 1)]) == .unfinished, "\(reading) without its last byte is not unfinished")
        if case .client(let address, let port) = header { checkAgain(header, address, port) }
    }

    private static func checkAgain(_ header: ProxyHeader, _ address: String, _ port: UInt16) {
        Fuzzer.expect(address.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "the address \(address.debugDescription)")
        guard let bits = NumericAddress(address)?.bits, NumericAddress(bits: bits).text == address else {
            Fuzzer.found("expected a normalized address, got \(address)")
        }
        let isVersion4 = !address.contains(":")
        let line = Array(
            "PROXY TCP\(isVersion4 ? 4 : 6) \(address) \(isVersion4 ? "0.0.0.0" : "::") \(port) 0\r\n".utf8)
        Fuzzer.expect(read(line) == .whole(header, count: line.count), "\(header) in text is \(read(line))")
        let count = isVersion4 ? 4 : 16
        var binary = Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x21, isVersion4 ? 0x11 : 0x21, 0, UInt8(2 * count + 4)]
        for place in (0..<count).reversed() { binary.append(UInt8(truncatingIfNeeded: bits >> (8 * place))) }
        binary += [UInt8](repeating: 0, count: count) + [UInt8(port >> 8), UInt8(port & 0xFF), 0, 0]
        Fuzzer.expect(read(binary) == .whole(header, count: binary.count), "\(header) in binary is \(read(binary))")
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    ProxyHeaders.check(FuzzInput(start, count))
    return 0
}

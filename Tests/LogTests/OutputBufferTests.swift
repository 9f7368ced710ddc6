import Testing

@testable import Log

struct OutputBufferTests {
    private var buffer = OutputBuffer(capacity: 20) { Array("-\($0)\n".utf8) }

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    private func line(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: "a"), count: count - 1) + [UInt8(ascii: "\n")]
    }

    @Test mutating func `the first line starts the writer, which takes all pending lines until none are left`() {
        #expect(buffer.append(Array("a\n".utf8)) == .startWriting)
        #expect(buffer.append(Array("b\n".utf8)) == .none)
        #expect(text(buffer.take()) == "a\nb\n")
        #expect(buffer.append(Array("c\n".utf8)) == .none)
        buffer.wrote(4)
        #expect(text(buffer.take()) == "c\n")
        buffer.wrote(2)
        #expect(buffer.take() == nil)
        #expect(buffer.append(Array("d\n".utf8)) == .startWriting)
    }

    @Test mutating func `bytes being written count towards the capacity until they have been written`() {
        _ = buffer.append(line(20))
        _ = buffer.take()
        #expect(buffer.append(line(5)) == .none)
        buffer.wrote(8)
        _ = buffer.append(Array("fits\n".utf8))
        buffer.wrote(12)
        // One was dropped, and the next line that fits reports it.
        #expect(text(buffer.take()) == "-1\nfits\n")
    }

    @Test mutating func `a report and the line after it are buffered together or not at all`() {
        _ = buffer.append(line(15))
        _ = buffer.append(line(15))
        _ = buffer.append(line(3))
        _ = buffer.append(line(2))
        #expect(text(buffer.take())?.hasSuffix("a\n-2\na\n") == true)
    }

    @Test mutating func `dropped lines are reported even if no line follows`() {
        _ = buffer.append(line(20))
        _ = buffer.append(line(20))
        _ = buffer.append(line(20))
        _ = buffer.take()
        buffer.wrote(20)
        #expect(text(buffer.take()) == "-2\n")
        buffer.wrote(3)
        #expect(buffer.take() == nil)
    }

    @Test mutating func `lines that could not be written are reported with the next line`() {
        _ = buffer.append(line(5))
        _ = buffer.append(line(5))
        _ = buffer.take()
        buffer.failed(lines: 2)
        // Writing a report now would fail too, and repeat endlessly.
        #expect(buffer.take() == nil)
        #expect(buffer.append(Array("next\n".utf8)) == .startWriting)
        #expect(text(buffer.take()) == "-2\nnext\n")
        buffer.failed(lines: 2)
        #expect(buffer.take() == nil)
    }

    @Test mutating func `a line that exceeds the capacity does not block later lines`() {
        #expect(buffer.append(line(21)) == .none)
        #expect(buffer.append(line(4)) == .startWriting)
        #expect(text(buffer.take()) == "-1\naaa\n")
    }
}

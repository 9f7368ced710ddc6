import Testing

@testable import HTTPServer

@Suite struct ConnectionInputTests {
    private static func withBuffer<Result>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return try body(buffer)
    }

    private static func receive(
        _ bytes: [UInt8], _ input: inout ConnectionInput, _ buffer: UnsafeMutableRawBufferPointer
    ) {
        input.makeRoom(in: buffer).copyBytes(from: bytes)
        input.received(bytes.count)
    }

    @Test func `bytes that were not taken are there in the next step`() {
        ConnectionInputTests.withBuffer(64) { buffer in
            var input = ConnectionInput()
            input.load(into: buffer)
            #expect(input.isWindowEmpty)
            ConnectionInputTests.receive([1, 2, 3, 4], &input, buffer)
            input.consumed(leaving: 3)
            input.store(from: buffer)
            #expect(!input.isEmpty && input.isWindowEmpty)
            buffer.initializeMemory(as: UInt8.self, repeating: 9)
            input.load(into: buffer)
            #expect(Array(input.bytes(in: buffer)) == [2, 3, 4])
            // Once a step: another load would overwrite what has been read since.
            ConnectionInputTests.receive([5], &input, buffer)
            input.load(into: buffer)
            #expect(Array(input.bytes(in: buffer)) == [2, 3, 4, 5])
        }
    }

    @Test func `there is always room for half a buffer`() {
        ConnectionInputTests.withBuffer(16) { buffer in
            var input = ConnectionInput()
            input.load(into: buffer)
            ConnectionInputTests.receive(Array(1...12), &input, buffer)
            input.consumed(leaving: 2)
            #expect(input.makeRoom(in: buffer).count == 14)
            #expect(Array(input.bytes(in: buffer)) == [11, 12])
            input.consumed(leaving: 0)
            #expect(input.makeRoom(in: buffer).count == 16)
        }
    }

    @Test func `discarded bytes are not kept`() {
        ConnectionInputTests.withBuffer(16) { buffer in
            var input = ConnectionInput()
            input.load(into: buffer)
            ConnectionInputTests.receive([1], &input, buffer)
            input.discard()
            input.store(from: buffer)
            #expect(input.isEmpty)
        }
    }
}

/// The bytes that a connection has read and its parser has not consumed: an incomplete line, or requests that arrived
/// before the response to the previous one.
///
/// During a step, they are in the input buffer that all connections of a loop share, in the connection's *window*.
/// Between two steps, the connection keeps a copy, which is usually empty, so that an idle connection holds no buffer.
struct ConnectionInput {
    private var kept: [UInt8] = []
    private var window = 0..<0
    private var isLoaded = false

    // Inlined, because a call would copy the value and retain its bytes.

    /// Whether no bytes are kept between two steps.
    @inline(__always)
    var isEmpty: Bool { kept.isEmpty }

    /// Whether no bytes are in the window during a step.
    @inline(__always)
    var isWindowEmpty: Bool { window.isEmpty }

    /// Copies the kept bytes into the loop's buffer, once per step.
    mutating func load(into buffer: UnsafeMutableRawBufferPointer) {
        guard !isLoaded else { return }
        isLoaded = true
        window = 0..<kept.count
        guard !kept.isEmpty else { return }
        kept.withUnsafeBytes { buffer.copyMemory(from: $0) }
        kept = []
    }

    /// Copies the bytes of the window at the end of a step, because another connection uses the buffer next.
    mutating func store(from buffer: UnsafeMutableRawBufferPointer) {
        guard isLoaded else { return }
        isLoaded = false
        // Not `Array(buffer[window])`, which copies byte by byte.
        if !window.isEmpty { kept = Array(bytes(in: buffer)) }
        window = 0..<0
    }

    mutating func discard() {
        kept = []
        window = 0..<0
    }

    @inline(__always)
    func bytes(in buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[window])
    }

    /// Records that the parser has consumed all bytes of the window except the last `count`.
    mutating func consumed(leaving count: Int) {
        window = (window.upperBound - count)..<window.upperBound
    }

    /// Returns the free part of the buffer after the window, which is at least half of the buffer.
    mutating func makeRoom(in buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        if window.isEmpty {
            window = 0..<0
        } else if buffer.count - window.upperBound < buffer.count / 2 {
            buffer.copyMemory(from: bytes(in: buffer))
            window = 0..<window.count
        }
        return UnsafeMutableRawBufferPointer(rebasing: buffer[window.upperBound...])
    }

    /// Records that bytes were read into the free part of the buffer.
    mutating func received(_ count: Int) {
        window = window.lowerBound..<(window.upperBound + count)
    }
}

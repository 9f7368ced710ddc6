import HTTPModel

/// Examines the headers of a peer's frames before the frames are processed, and detects floods.
///
/// It sees every frame, including those that the library ignores (unknown types, data for closed streams), and it does
/// not need to understand them.
struct FrameMeter: Sendable {
    private struct Head {
        static let length = 9
        var payload: Int
        var type: UInt8
        var flags: UInt8
        var stream: UInt32

        init(_ bytes: UnsafeRawBufferPointer) {
            payload = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
            type = bytes[3]
            flags = bytes[4]
            // The first bit is reserved.
            stream = UInt32(bytes[5] & 0x7F) << 24 | UInt32(bytes[6]) << 16 | UInt32(bytes[7]) << 8 | UInt32(bytes[8])
        }
    }

    private enum FrameType {
        static let data: UInt8 = 0x0
        static let headers: UInt8 = 0x1
        static let priority: UInt8 = 0x2
        static let reset: UInt8 = 0x3
        static let settings: UInt8 = 0x4
        static let continuation: UInt8 = 0x9
    }

    private static let endHeaders: UInt8 = 0x4
    private static let endStream: UInt8 = 0x1
    /// The cost of a SETTINGS frame: the server acknowledges it, and a new window size is applied to every stream.
    private static let settingsCost = 8

    // Only these limits: storing all of them would give each connection a second copy.
    private let maxContinuations: Int
    private let maxBlockBytes: Int
    private var workless: Allowance
    /// The bytes still to skip of the preface or the current frame's payload.
    private var toSkip: Int
    /// An incomplete frame header.
    private var partial: [UInt8] = []
    private var continuations = 0
    private var blockBytes = 0
    /// The number of frames that may still be measured. Content that does not end its stream is not counted, because it
    /// causes no work except for its bytes. At zero, the rest is left unprocessed.
    var framesLeft = Int.max
    /// The time at which an incomplete header block began.
    private(set) var blockStart: MonotonicTime?

    /// The stream of a `PRIORITY` frame and the part of its payload that has arrived. The library ignores such frames,
    /// since these priorities are not used; but an invalid one is still an error (RFC 7540 §5.3.1, §6.3).
    private var dependency: (stream: UInt32, parent: UInt32, missing: Int)?

    /// Creates a meter for all bytes of a peer. Those of a client begin with the preface.
    init(limits: HTTP2Limits, followsPreface: Bool = true, now: MonotonicTime) {
        toSkip = followsPreface ? HTTP2Preface.bytes.count : 0
        maxContinuations = limits.continuationFrames
        maxBlockBytes = limits.headerBlockBytes
        workless = Allowance(
            capacity: limits.worklessFrames, perSecond: limits.worklessFramesPerSecond, now: now)
    }

    /// Measures the next bytes. Returns how many of them may be processed, and an ending if the connection must not
    /// continue. Without an ending, measure the rest after these have been processed. `check` is called for every
    /// stream with content.
    mutating func measure(
        _ bytes: UnsafeRawBufferPointer, now: MonotonicTime, check: (Int32) -> HTTP2ErrorCode? = { _ in nil }
    ) -> (count: Int, ending: HTTP2Ending?) {
        workless.refill(now: now)
        var offset = 0
        var hasReset = false
        while offset < bytes.count {
            if toSkip == 0, partial.isEmpty, framesLeft == 0 { return (offset, nil) }
            if toSkip > 0 {
                let skipped = min(toSkip, bytes.count - offset)
                if dependency != nil, hasWrongDependency(bytes[offset..<(offset + skipped)]) {
                    return (offset, .protocolViolation(.protocolError))
                }
                toSkip -= skipped
                offset += skipped
                continue
            }
            let start = offset
            guard let head = readHead(bytes, &offset) else { break }
            if head.type == FrameType.data {
                // The stream may be the one that was reset, which is known only after that frame was processed.
                if hasReset { return (start, nil) }
                if let code = check(Int32(head.stream)) { return (start, .protocolViolation(code)) }
            }
            hasReset = hasReset || head.type == FrameType.reset
            if let ending = enter(head, now: now) { return (start, ending) }
        }
        return (bytes.count, nil)
    }

    /// Credits frames that have led to work.
    mutating func credit(_ count: Int) {
        workless.restore(count)
    }

    /// Charges work that counts as a number of useless frames; returns whether the allowance suffices.
    mutating func charge(_ count: Int) -> Bool { workless.take(count) }

    private mutating func readHead(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Head? {
        if partial.isEmpty, bytes.count - offset >= Head.length {
            defer { offset += Head.length }
            return Head(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + Head.length)]))
        }
        let taken = min(Head.length - partial.count, bytes.count - offset)
        partial.append(contentsOf: bytes[offset..<(offset + taken)])
        offset += taken
        guard partial.count == Head.length else { return nil }
        defer { partial.removeAll() }
        return partial.withUnsafeBytes(Head.init)
    }

    private mutating func enter(_ head: Head, now: MonotonicTime) -> HTTP2Ending? {
        toSkip = head.payload
        let isPlainContent = head.type == FrameType.data && head.flags & FrameMeter.endStream == 0
        if !isPlainContent, framesLeft > 0 { framesLeft -= 1 }
        switch head.type {
        case FrameType.headers:
            continuations = 0
            blockBytes = head.payload
            blockStart = now
        case FrameType.continuation:
            continuations += 1
            blockBytes += head.payload
            if continuations > maxContinuations { return .continuationFrames }
        case FrameType.priority:
            if head.stream == 0 { return .protocolViolation(.protocolError) }
            dependency = head.payload == 5 ? (head.stream, 0, 4) : nil
        default: break
        }
        if head.type == FrameType.headers || head.type == FrameType.continuation {
            if blockBytes > maxBlockBytes { return .headerBlock }
            if head.flags & FrameMeter.endHeaders != 0 { blockStart = nil }
        }
        let cost = head.type == FrameType.settings ? FrameMeter.settingsCost : 1
        return workless.take(cost) ? nil : .worklessFrames
    }

    /// Examines more of the payload of a `PRIORITY` frame; returns whether its stream depends on itself.
    private mutating func hasWrongDependency(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard var frame = dependency else { return false }
        for byte in bytes.prefix(frame.missing) { frame.parent = frame.parent << 8 | UInt32(byte) }
        frame.missing -= min(frame.missing, bytes.count)
        dependency = frame.missing == 0 ? nil : frame
        // The first bit states whether the dependency is exclusive.
        return frame.missing == 0 && frame.parent & 0x7FFF_FFFF == frame.stream
    }
}

public import HTTPModel

/// Parses requests (RFC 9112) from the bytes of one connection: a state machine without I/O.
///
/// The parser consumes as many of the given bytes as it can. The rest, at most one incomplete line, has to be passed
/// again together with the bytes that follow. The requests and errors do not depend on how the bytes are split.
public struct HTTP1RequestParser: Sendable {
    /// The part of a message that is being parsed.
    public enum Phase: Hashable, Sendable {
        /// No byte of the next request has been consumed.
        case idle
        /// A part of the head has been consumed.
        case head
        /// The head is complete, the body is not.
        case body
    }

    /// The bytes of a chunk's size line that do not count as overhead.
    private static let freeChunkLine = 16

    private enum Stage {
        case requestLine
        case fieldLines
        case fixedBody(missing: Int)
        case chunkSize
        case chunk(missing: Int)
        case chunkEnd
        case trailers
    }

    /// The limits of a request.
    public let limits: HTTP1Limits
    /// The number of body bytes of the current request so far.
    public var bodyCount: Int { body.count }

    private var stage = Stage.requestLine
    // Stored separately from the stage, because as an associated value it would be copied with every step.
    private var head = RequestHead()
    private var body: [UInt8] = []
    private var trailers = HTTPFields()
    /// The number of consumed bytes of the head, or of the trailers.
    private var lineBytes = 0
    private var trailerCount = 0
    /// The bytes of all size lines that count as overhead.
    private var chunkOverhead = 0
    /// The number of pending bytes that are known to contain no line end. Without it, a line that arrives byte by byte
    /// would be scanned from its start each time, which takes quadratic time.
    private var scanned = 0
    private var hasSkippedEmptyLine = false
    private var awaitsContinue = false

    /// Creates a parser for a new connection.
    public init(limits: HTTP1Limits) {
        // The request line is part of the head. A target that is as long as the head limit would leave no space for
        // anything else.
        self.limits = limits.withTargetInsideHead
    }

    /// The part of a message that is being parsed now.
    public var phase: Phase {
        switch stage {
        case .requestLine: .idle
        case .fieldLines: .head
        case .fixedBody, .chunkSize, .chunk, .chunkEnd, .trailers: .body
        }
    }

    /// Whether the request that is being parsed is known to be `HEAD`, whose response has no content.
    public var isHead: Bool { phase != .idle && head.line.method == .head }

    /// Consumes bytes until a request is complete.
    ///
    /// - Returns: The request, or `nil` if more bytes are needed.
    /// - Throws: The first error. The parser must not be used afterwards.
    public mutating func parse(
        _ bytes: inout UnsafeRawBufferPointer, peer: HTTPPeer
    ) throws(HTTP1Error) -> HTTP1Message? {
        while true {
            switch try advance(&bytes) {
            case .starved: return nil
            case .more: break
            case .whole: return finish(peer: peer)
            }
        }
    }

    /// Returns whether the client waits for `100 Continue` (RFC 9110 §10.1.1). True at most once per request.
    public mutating func takeContinueExpectation() -> Bool {
        defer { awaitsContinue = false }
        return awaitsContinue && body.isEmpty
    }

    /// Returns the fields of a request that is not valid or not complete: those that were parsed, and the `Origin` fields in the
    /// rest of its head, as far as that has arrived. The rest is not checked, so it may be used for nothing but the response.
    ///
    /// - Parameter rest: The bytes that were not consumed.
    public func fieldsOfRefused(_ rest: UnsafeRawBufferPointer) -> HTTPFields {
        var fields = head.fields
        switch stage {
        case .requestLine, .fieldLines: break
        case .fixedBody, .chunkSize, .chunk, .chunkEnd, .trailers: return fields
        }
        var start = 0
        while let end = rest.firstOffset(of: ASCII.lineFeed, from: start) {
            let hasReturn = end > start && rest[end - 1] == ASCII.carriageReturn
            let line = rest.part(start..<(hasReturn ? end - 1 : end))
            start = end + 1
            if line.isEmpty { break }
            // The request line and lines with faults are no fields.
            guard let (name, value) = try? FieldLine.split(line), name.equalsIgnoringCase("origin") else { continue }
            fields.append(checkedName: name, checkedValue: value)
        }
        return fields
    }

    private enum Step {
        /// More bytes are needed.
        case starved
        /// There may be more to do.
        case more
        /// The request is complete.
        case whole
    }

    /// Performs one step of the current stage.
    private mutating func advance(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        switch stage {
        case .requestLine: return try readRequestLine(&bytes)
        case .fieldLines: return try readFieldLines(&bytes)
        case .fixedBody(let missing):
            let rest = takeBody(&bytes, missing)
            stage = .fixedBody(missing: rest)
            return rest == 0 ? .whole : .starved
        case .chunkSize: return try readChunkSize(&bytes)
        case .chunk(let missing):
            let rest = takeBody(&bytes, missing)
            stage = rest == 0 ? .chunkEnd : .chunk(missing: rest)
            return rest == 0 ? .more : .starved
        case .chunkEnd: return try readChunkEnd(&bytes)
        case .trailers: return try readTrailers(&bytes)
        }
    }

    private mutating func finish(peer: HTTPPeer) -> HTTP1Message {
        let message = exchange(&head, with: RequestHead()).message(
            body: exchange(&body, with: []), trailers: exchange(&trailers, with: HTTPFields()), peer: peer)
        stage = .requestLine
        lineBytes = 0
        trailerCount = 0
        chunkOverhead = 0
        hasSkippedEmptyLine = false
        awaitsContinue = false
        return message
    }
}

extension HTTP1RequestParser {
    private mutating func readRequestLine(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        try checkRequestLine(bytes)
        guard let line = try takeLine(&bytes, atMost: limits.headBytes, otherwise: .headTooLarge) else {
            return .starved
        }
        if line.isEmpty && !hasSkippedEmptyLine {
            // RFC 9112 §2.2: some old clients send an extra line end after a body.
            hasSkippedEmptyLine = true
            return .more
        }
        lineBytes = line.count + 2
        head.begin(try RequestLine(line), available: bytes.count)
        stage = .fieldLines
        return .more
    }

    /// Checks the lengths of an incomplete line as well as of a complete one.
    private func checkRequestLine(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Error) {
        let end = bytes.firstOffset(of: ASCII.lineFeed, from: min(scanned, bytes.count)) ?? bytes.count
        let hasReturn = end > 0 && bytes[end - 1] == ASCII.carriageReturn
        try RequestLine.checkLengths(bytes.part(0..<(hasReturn ? end - 1 : end)), limits: limits)
    }

    private mutating func readFieldLines(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        while let line = try takeLine(&bytes, atMost: limits.headBytes - lineBytes, otherwise: .headTooLarge) {
            lineBytes += line.count + 2
            if line.isEmpty { return try endHead() }
            try head.take(fieldLine: line, limits: limits)
        }
        return .starved
    }

    private mutating func endHead() throws(HTTP1Error) -> Step {
        // First, because the bytes that follow do not belong to the head even if its framing is not valid.
        stage = .chunkSize
        let framing = try head.framing(limits: limits)
        awaitsContinue = head.expectsContinue && !head.line.isVersion10 && framing != .none
        switch framing {
        case .none: return .whole
        case .length(let count):
            // The announced length is trusted up to one page. Beyond that, memory is allocated only for bytes that have
            // arrived.
            body.reserveCapacity(min(count, 4096))
            stage = .fixedBody(missing: count)
        case .chunked: break
        }
        return .more
    }

    /// Returns the next line without its line end, or `nil` if it is incomplete. The line is valid as long as the bytes
    /// are. A line that exceeds the limit, including its line end, is an error as soon as that is certain.
    private mutating func takeLine(
        _ bytes: inout UnsafeRawBufferPointer, atMost limit: Int, otherwise error: HTTP1Error
    ) throws(HTTP1Error) -> UnsafeRawBufferPointer? {
        guard let end = bytes.firstOffset(of: ASCII.lineFeed, from: min(scanned, bytes.count)) else {
            guard bytes.count <= limit else { throw error }
            scanned = bytes.count
            return nil
        }
        guard end < limit else { throw error }
        scanned = 0
        guard end > 0, bytes[end - 1] == ASCII.carriageReturn else { throw .lineEnd }
        let line = bytes.part(0..<(end - 1))
        // A bare CR must not be read as a space or a line end: another implementation may treat it as either, which
        // permits request smuggling.
        guard line.firstOffset(of: ASCII.carriageReturn) == nil else { throw .lineEnd }
        bytes = bytes.part(from: end + 1)
        return line
    }
}

extension HTTP1RequestParser {
    /// Consumes bytes of the body; returns how many are still missing.
    private mutating func takeBody(_ bytes: inout UnsafeRawBufferPointer, _ missing: Int) -> Int {
        let count = min(missing, bytes.count)
        body.append(contentsOf: bytes.part(0..<count))
        bytes = bytes.part(from: count)
        return missing - count
    }

    private mutating func readChunkSize(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        guard let line = try takeLine(&bytes, atMost: limits.chunkLineBytes + 2, otherwise: .chunkSize) else {
            return .starved
        }
        let size = try ChunkSize.read(line)
        guard size > 0 else {
            lineBytes = 0
            stage = .trailers
            return .more
        }
        guard size <= limits.bodyBytes - body.count else { throw .bodyTooLarge }
        // The unused allowance of one chunk does not carry over to the next.
        chunkOverhead += max(0, line.count - HTTP1RequestParser.freeChunkLine - 2 * min(size, line.count))
        guard chunkOverhead <= limits.chunkOverheadBytes else { throw .chunkSize }
        stage = .chunk(missing: size)
        return .more
    }

    private mutating func readChunkEnd(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        if let first = bytes.first, first != ASCII.carriageReturn { throw .chunkEnd }
        guard bytes.count >= 2 else { return .starved }
        guard bytes[1] == ASCII.lineFeed else { throw .chunkEnd }
        bytes = bytes.part(from: 2)
        stage = .chunkSize
        return .more
    }

    /// Trailers are parsed and limited like header fields; fields that are not allowed in trailers are dropped (RFC
    /// 9110 §6.5.1).
    private mutating func readTrailers(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        // The final empty line does not count towards the limit.
        while let line = try takeLine(
            &bytes, atMost: limits.trailerBytes + 2 - lineBytes, otherwise: .trailersTooLarge)
        {
            if line.isEmpty { return .whole }
            lineBytes += line.count + 2
            trailerCount += 1
            guard trailerCount <= limits.fieldCount else { throw .tooManyFields }
            let (name, value) = try FieldLine.split(line)
            trailers.append(checkedTrailerName: name, checkedValue: value)
        }
        return .starved
    }
}

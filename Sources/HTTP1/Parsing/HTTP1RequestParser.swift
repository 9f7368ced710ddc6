public import HTTPModel

/// Reads requests (RFC 9112) from the bytes of one connection: a state machine without I/O.
///
/// It is given the bytes that have come and takes what it can use of them; what is left over, at most one unfinished line,
/// has to be given again with more behind it. However the bytes are cut, the requests and errors are the same.
public struct HTTP1RequestParser: Sendable {
    /// What is being read.
    public enum Phase: Hashable, Sendable {
        /// Nothing of the next request has been taken.
        case idle
        /// A part of a head.
        case head
        /// The head is whole, the body is not.
        case body
    }

    private enum Stage {
        case requestLine
        case fieldLines(RequestHead)
        case fixedBody(RequestHead, missing: Int)
        case chunkSize(RequestHead)
        case chunk(RequestHead, missing: Int)
        case chunkEnd(RequestHead)
        case trailers(RequestHead)
    }

    /// How much is taken of what.
    public let limits: HTTP1Limits
    /// How many bytes of content the request that is being read has so far.
    public var bodyCount: Int { body.count }

    private var stage = Stage.requestLine
    private var body: [UInt8] = []
    /// Bytes of the head, or of the trailers, that are taken.
    private var lineBytes = 0
    private var trailerCount = 0
    /// How far the pending line is known to hold no line end, so that a line that comes byte by byte is not looked at
    /// from its start every time.
    private var scanned = 0
    private var hasSkippedEmptyLine = false
    private var awaitsContinue = false

    /// A parser at the start of a connection.
    public init(limits: HTTP1Limits) {
        // The request line is a part of the head: a target as long as the whole head would leave none for the rest.
        self.limits = limits.withTargetInsideHead
    }

    /// What is being read now.
    public var phase: Phase {
        switch stage {
        case .requestLine: .idle
        case .fieldLines: .head
        case .fixedBody, .chunkSize, .chunk, .chunkEnd, .trailers: .body
        }
    }

    /// Takes bytes off the front until a request is whole, and gives it; `nil` once more bytes are needed. After an
    /// error the parser is of no further use.
    public mutating func parse(
        _ bytes: inout UnsafeRawBufferPointer, peer: HTTPPeer
    ) throws(HTTP1Error) -> HTTP1Message? {
        while true {
            // Taken out, so that the head in it is owned once and its arrays grow in place.
            let current = stage
            stage = .requestLine
            guard let next = try advance(current, &bytes) else { return nil }
            switch next {
            case .stage(let next): stage = next
            case .message(let head): return finish(head, peer: peer)
            }
        }
    }

    /// Whether the client is to be told to go on with the body (RFC 9110 §10.1.1). Answers yes once for a request.
    public mutating func takeContinueExpectation() -> Bool {
        defer { awaitsContinue = false }
        return awaitsContinue && body.isEmpty
    }

    private enum Step {
        case stage(Stage)
        case message(RequestHead)
    }

    /// One step of one stage, or `nil` if it needs more bytes, with the stage put back.
    private mutating func advance(
        _ current: consuming Stage, _ bytes: inout UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> Step? {
        switch current {
        case .requestLine:
            return try readRequestLine(&bytes).map(Step.stage)
        case .fieldLines(let head):
            return try readFieldLines(head, &bytes)
        case .fixedBody(let head, let missing):
            let rest = takeBody(&bytes, missing)
            if rest == 0 { return .message(head) }
            stage = .fixedBody(head, missing: rest)
            return nil
        case .chunkSize(let head):
            return try readChunkSize(head, &bytes).map(Step.stage)
        case .chunk(let head, let missing):
            let rest = takeBody(&bytes, missing)
            if rest == 0 { return .stage(.chunkEnd(head)) }
            stage = .chunk(head, missing: rest)
            return nil
        case .chunkEnd(let head):
            return try readChunkEnd(head, &bytes).map(Step.stage)
        case .trailers(let head):
            return try readTrailers(head, &bytes)
        }
    }

    private mutating func finish(_ head: RequestHead, peer: HTTPPeer) -> HTTP1Message {
        let message = head.message(body: body, peer: peer)
        body = []
        lineBytes = 0
        trailerCount = 0
        hasSkippedEmptyLine = false
        awaitsContinue = false
        return message
    }
}

extension HTTP1RequestParser {
    private mutating func readRequestLine(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Stage? {
        try checkRequestLine(bytes)
        guard let line = try takeLine(&bytes, atMost: limits.headBytes, otherwise: .headTooLarge) else { return nil }
        if line.isEmpty && !hasSkippedEmptyLine {
            // RFC 9112 §2.2: some old clients send one more line end behind a body.
            hasSkippedEmptyLine = true
            return .requestLine
        }
        lineBytes = line.count + 2
        return .fieldLines(RequestHead(line: try RequestLine(line)))
    }

    /// Looks at the lengths before anything else, on a line that has come in part as on a whole one.
    private func checkRequestLine(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Error) {
        let end = bytes.firstOffset(of: ASCII.lineFeed, from: min(scanned, bytes.count)) ?? bytes.count
        let hasReturn = end > 0 && bytes[end - 1] == ASCII.carriageReturn
        try RequestLine.checkLengths(bytes.part(0..<(hasReturn ? end - 1 : end)), limits: limits)
    }

    private mutating func readFieldLines(
        _ head: consuming RequestHead, _ bytes: inout UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> Step? {
        while let line = try takeLine(&bytes, atMost: limits.headBytes - lineBytes, otherwise: .headTooLarge) {
            lineBytes += line.count + 2
            if line.isEmpty { return try endHead(head) }
            try head.take(fieldLine: line, limits: limits)
        }
        stage = .fieldLines(head)
        return nil
    }

    private mutating func endHead(_ head: consuming RequestHead) throws(HTTP1Error) -> Step {
        let framing = try head.framing(limits: limits)
        awaitsContinue = head.expectsContinue && !head.line.isVersion10 && framing != .none
        switch framing {
        case .none: return .message(head)
        case .length(let count):
            // What was announced is believed up to a page; beyond that room is made for what has come.
            body.reserveCapacity(min(count, 4096))
            return .stage(.fixedBody(head, missing: count))
        case .chunked: return .stage(.chunkSize(head))
        }
    }

    /// The next line without its end, or `nil` if its end has not come. It stays valid as long as the bytes do. A line
    /// that is longer with its end than it may be is an error as soon as that is certain.
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
        guard line.firstOffset(of: ASCII.carriageReturn) == nil else { throw .lineEnd }
        bytes = bytes.part(from: end + 1)
        return line
    }
}

extension HTTP1RequestParser {
    /// Moves what has come of the body, and answers how much is missing then.
    private mutating func takeBody(_ bytes: inout UnsafeRawBufferPointer, _ missing: Int) -> Int {
        let count = min(missing, bytes.count)
        body.append(contentsOf: bytes.part(0..<count))
        bytes = bytes.part(from: count)
        return missing - count
    }

    private mutating func readChunkSize(
        _ head: consuming RequestHead, _ bytes: inout UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> Stage? {
        guard let line = try takeLine(&bytes, atMost: limits.chunkLineBytes + 2, otherwise: .chunkSize) else {
            stage = .chunkSize(head)
            return nil
        }
        let size = try ChunkSize.read(line)
        guard size > 0 else {
            lineBytes = 0
            return .trailers(head)
        }
        guard size <= limits.bodyBytes - body.count else { throw .bodyTooLarge }
        return .chunk(head, missing: size)
    }

    private mutating func readChunkEnd(
        _ head: consuming RequestHead, _ bytes: inout UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> Stage? {
        if let first = bytes.first, first != ASCII.carriageReturn { throw .chunkEnd }
        guard bytes.count >= 2 else {
            stage = .chunkEnd(head)
            return nil
        }
        guard bytes[1] == ASCII.lineFeed else { throw .chunkEnd }
        bytes = bytes.part(from: 2)
        return .chunkSize(head)
    }

    /// Trailers are read, held to their limits, and dropped (RFC 9110 §6.5.1 lets a recipient do so).
    private mutating func readTrailers(
        _ head: consuming RequestHead, _ bytes: inout UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> Step? {
        // The empty line at the end stands outside the limit.
        while let line = try takeLine(
            &bytes, atMost: limits.trailerBytes + 2 - lineBytes, otherwise: .trailersTooLarge)
        {
            if line.isEmpty { return .message(head) }
            lineBytes += line.count + 2
            trailerCount += 1
            guard trailerCount <= limits.fieldCount else { throw .tooManyFields }
            _ = try FieldLine.split(line)
        }
        stage = .trailers(head)
        return nil
    }
}

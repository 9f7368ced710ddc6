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

    /// Bytes of a chunk's size line that are no overhead.
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

    /// How much is taken of what.
    public let limits: HTTP1Limits
    /// How many bytes of content the request that is being read has so far.
    public var bodyCount: Int { body.count }

    private var stage = Stage.requestLine
    /// What is known of the request that is being read. Beside the stage and not in it, where it would be copied with every
    /// step.
    private var head = RequestHead()
    private var body: [UInt8] = []
    private var trailers = HTTPFields()
    /// Bytes of the head, or of the trailers, that are taken.
    private var lineBytes = 0
    private var trailerCount = 0
    /// What the size lines of chunks have had in them beyond what they may have for nothing.
    private var chunkOverhead = 0
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
            switch try advance(&bytes) {
            case .starved: return nil
            case .more: break
            case .whole: return finish(peer: peer)
            }
        }
    }

    /// Whether the client is to be told to go on with the body (RFC 9110 §10.1.1). Answers yes once for a request.
    public mutating func takeContinueExpectation() -> Bool {
        defer { awaitsContinue = false }
        return awaitsContinue && body.isEmpty
    }

    /// What came of a step.
    private enum Step {
        /// More bytes are needed.
        case starved
        /// There may be more to do.
        case more
        /// The request is whole.
        case whole
    }

    /// One step of the present stage.
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
            // RFC 9112 §2.2: some old clients send one more line end behind a body.
            hasSkippedEmptyLine = true
            return .more
        }
        lineBytes = line.count + 2
        head.begin(try RequestLine(line))
        stage = .fieldLines
        return .more
    }

    /// Looks at the lengths before anything else, on a line that has come in part as on a whole one.
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
        let framing = try head.framing(limits: limits)
        awaitsContinue = head.expectsContinue && !head.line.isVersion10 && framing != .none
        switch framing {
        case .none: return .whole
        case .length(let count):
            // What was announced is believed up to a page; beyond that room is made for what has come.
            body.reserveCapacity(min(count, 4096))
            stage = .fixedBody(missing: count)
        case .chunked: stage = .chunkSize
        }
        return .more
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
        // What is left over of one chunk is no credit for the next.
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

    /// Trailers are read and held to their limits; those that have no place there are dropped (RFC 9110 §6.5.1).
    private mutating func readTrailers(_ bytes: inout UnsafeRawBufferPointer) throws(HTTP1Error) -> Step {
        // The empty line at the end stands outside the limit.
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

import Fuzz
import HTTP2
import HTTPModel

/// One client connection: it receives the pieces, answers the requests and writes the output.
struct Visit {
    /// The behaviour of the server.
    struct Choices: OptionSet {
        let rawValue: UInt8

        /// Response bodies are streams.
        static let streams = Choices(rawValue: 8)
        /// Requests are answered after all pieces were received.
        static let answersLate = Choices(rawValue: 16)
        /// Seconds pass between pieces.
        static let timePasses = Choices(rawValue: 32)
        /// The server drains the connection halfway through.
        static let drains = Choices(rawValue: 64)
        /// The client reads nothing until the end.
        static let writesLate = Choices(rawValue: 128)
    }

    /// The size of a response body.
    static let answerBytes = 600

    /// Small limits that inputs can reach.
    private static let limits = {
        var limits = HTTP2Limits()
        limits.bodyBytes = 1024
        limits.unfinishedBodyBytes = 2048
        limits.headBytes = 1024
        limits.fieldCount = 16
        limits.concurrentStreams = 16
        limits.headerBlockBytes = 1024
        limits.continuationFrames = 3
        limits.queuedFrames = 20
        limits.worklessFrames = 60
        limits.resets = 8
        return limits
    }()

    private let choices: Choices
    private let connection: HTTP2Connection
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var received = 0
    private var unanswered: [HTTP2StreamID] = []
    private var known: Set<HTTP2StreamID> = []
    private var bodies: [FuzzBody] = []
    private var output = Frames()

    init(choices: Choices) {
        self.choices = choices
        connection = HTTP2Connection(limits: Visit.limits, scheme: "http", peer: .unknown, now: now)
    }

    mutating func run(_ pieces: [ArraySlice<UInt8>]) {
        for (index, piece) in pieces.enumerated() {
            if choices.contains(.drains), index == pieces.count / 2 { connection.drain(now: now) }
            receive(piece)
            if choices.contains(.timePasses) { passTime() }
            takeEvents()
            if !choices.contains(.answersLate) { answer() }
            if index % 2 == 1 { for body in bodies { body.resume() } }
            if !choices.contains(.writesLate) { write(limit: 1 + index % 7 * 97) }
        }
        answer()
        write(limit: 16 << 10)
        for body in bodies { body.resume() }
        write(limit: 16 << 10)
        takeEvents()
        finish()
    }

    /// Copies the bytes into memory of exactly their size, so that the sanitizer detects reads beyond their end.
    private mutating func receive(_ piece: ArraySlice<UInt8>) {
        received += piece.count
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: piece)
        connection.receive(UnsafeRawBufferPointer(copy), now: now)
    }

    private mutating func passTime() {
        now = now + .seconds(4)
        if let deadline = connection.deadline, deadline <= now { connection.timePassed(now: now) }
    }

    private mutating func takeEvents() {
        while let event = connection.nextEvent() {
            switch event {
            case .request(let id, let request):
                RequestRules.check(request)
                take(id)
            case .refusal(let id, let refusal, _):
                take(id)
                unanswered.removeLast()
                connection.respond(to: id, with: refusal.problem.response, date: [])
            case .reset(let id, _):
                Fuzzer.expect(known.contains(id), "stream \(id) was reset without a request")
            case .malformed, .goAway: break
            }
        }
    }

    private mutating func take(_ id: HTTP2StreamID) {
        Fuzzer.expect(
            id.rawValue % 2 == 1 && known.insert(id).inserted, "stream \(id) has an invalid ID or a second request")
        unanswered.append(id)
    }

    private mutating func answer() {
        for id in unanswered {
            var response = HTTPResponse(status: .ok, fields: ["content-type": "text/plain"])
            if choices.contains(.streams) {
                let body = FuzzBody(count: Visit.answerBytes)
                bodies.append(body)
                response.body = .stream(body)
            } else {
                response.body = .bytes([UInt8](repeating: 0x61, count: Visit.answerBytes))
            }
            connection.respond(to: id, with: response, date: [])
        }
        unanswered = []
    }

    /// Writes all available output, in pieces of about `limit` bytes.
    private mutating func write(limit: Int) {
        while connection.hasOutput {
            var buffer: [UInt8] = []
            connection.write(into: &buffer, limit: limit)
            output.append(buffer)
            Fuzzer.expect(
                buffer.count <= limit + 17000, "expected about \(limit) bytes, got \(buffer.count)")
            Fuzzer.expect(!buffer.isEmpty || !connection.hasOutput, "hasOutput is true, but nothing was written")
            // A response is a head and content; a frame of nine bytes causes less than 500 bytes of output.
            let bound = 4096 + 64 * received + known.count * (Visit.answerBytes + 200)
            Fuzzer.expect(output.count <= bound, "\(received) bytes of input caused \(output.count) bytes of output")
        }
    }

    private mutating func finish() {
        if connection.ending != nil {
            Fuzzer.expect(output.lastType == Frames.goAway, "\(connection.ending as Any) without a GOAWAY at the end")
            Fuzzer.expect(connection.isFinished, "\(connection.ending as Any) and not finished")
        }
        connection.close()
        Fuzzer.expect(connection.streamCount == 0, "the closed connection still has streams")
        for body in bodies { Fuzzer.expect(body.isOver, "a response body is neither finished nor stopped") }
    }
}

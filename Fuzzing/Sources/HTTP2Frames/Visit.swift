import Fuzz
import HTTP2
import HTTPModel

/// One client's stay on a connection: its pieces are received, what is asked is answered, what is to be sent is taken.
struct Visit {
    /// How the server's side behaves.
    struct Choices: OptionSet {
        let rawValue: UInt8

        /// Answers come as streams of content.
        static let streams = Choices(rawValue: 8)
        /// What is asked is answered when everything has come.
        static let answersLate = Choices(rawValue: 16)
        /// Seconds pass between pieces.
        static let timePasses = Choices(rawValue: 32)
        /// The server goes down meanwhile.
        static let drains = Choices(rawValue: 64)
        /// The client reads nothing until the end.
        static let writesLate = Choices(rawValue: 128)
    }

    /// Bytes of content in an answer.
    static let answerBytes = 600

    /// Small, so that inputs reach them.
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
    private var asked: [HTTP2StreamID] = []
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
            if index % 2 == 1 { for body in bodies { body.goOn() } }
            if !choices.contains(.writesLate) { write(limit: 1 + index % 7 * 97) }
        }
        answer()
        write(limit: 16 << 10)
        for body in bodies { body.goOn() }
        write(limit: 16 << 10)
        takeEvents()
        finish()
    }

    /// The bytes lie in memory of exactly their size, so that a step over their end is seen.
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
            case .refusal(let id, let refusal):
                take(id)
                asked.removeLast()
                connection.respond(to: id, with: refusal.problem.response, date: [])
            case .reset(let id, _):
                Fuzzer.expect(known.contains(id), "stream \(id) is reset and has asked for nothing")
            case .malformed, .goAway: break
            }
        }
    }

    private mutating func take(_ id: HTTP2StreamID) {
        Fuzzer.expect(id.rawValue % 2 == 1 && known.insert(id).inserted, "stream \(id) asks once more")
        asked.append(id)
    }

    private mutating func answer() {
        for id in asked {
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
        asked = []
    }

    /// Everything that may be sent now, at most so much at a time.
    private mutating func write(limit: Int) {
        while connection.hasOutput {
            var buffer: [UInt8] = []
            connection.write(into: &buffer, limit: limit)
            output.append(buffer)
            Fuzzer.expect(
                buffer.count <= limit + 17000, "\(buffer.count) bytes were written where \(limit) were wanted")
            Fuzzer.expect(!buffer.isEmpty || !connection.hasOutput, "there is output, and none is written")
            // An answer is content and a head; a frame of nine bytes is answered with less than five hundred.
            let bound = 4096 + 64 * received + known.count * (Visit.answerBytes + 200)
            Fuzzer.expect(output.count <= bound, "\(output.count) bytes came of \(received)")
        }
    }

    private mutating func finish() {
        if connection.ending != nil {
            Fuzzer.expect(output.lastType == Frames.goAway, "\(connection.ending as Any) without a GOAWAY at the end")
            Fuzzer.expect(connection.isFinished, "\(connection.ending as Any) and not finished")
        }
        connection.close()
        Fuzzer.expect(connection.streamCount == 0, "streams are left")
        for body in bodies { Fuzzer.expect(body.isOver, "an answer's content is neither finished nor stopped") }
    }
}

import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Requests, cancellations, slow readers and drains in any order, with bytes that move in pieces of any size.
@Suite struct ClientScheduleTests {
    /// A body of numbered bytes, which shows whether any are lost or repeated.
    private final class NumberedBody: HTTPBodyStream {
        private weak var consumer: (any HTTPBodyConsumer)?
        private var next = 0
        private var available = 0
        private let count: Int
        private(set) var stopCount = 0
        private(set) var hasFinished = false
        let trailers: HTTPFields = ["x-count": "1"]

        init(count: Int) { self.count = count }

        func produce(_ more: Int) {
            available = min(count, available + more)
            consumer?.bodyIsReady()
        }

        func start(_ consumer: any HTTPBodyConsumer) { self.consumer = consumer }

        func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
            let end = min(available, next + limit)
            buffer += (next..<end).map { UInt8(truncatingIfNeeded: $0) }
            next = end
            hasFinished = next == count
            return hasFinished ? .finished : next < available ? .more : .waiting
        }

        func stop() { stopCount += 1 }
    }

    private static func numbered(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    /// What a schedule has sent.
    private struct Sent {
        var id: HTTP2StreamID
        var count: Int
        var content: NumberedBody?
        var isCancelled = false
    }

    @Test(arguments: 0..<150 as Range<UInt64>) func `every request has one result, whatever the schedule`(
        _ seed: UInt64
    ) {
        var random = Generator(state: seed)
        func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var limits = HTTP2ClientLimits()
        limits.connection.streamWindow = roll(1...3000)
        limits.connection.connectionWindow = 65_535 + roll(0...10_000)
        limits.connection.worklessFrames = 1 << 24
        var serverLimits = HTTP2Limits()
        serverLimits.streamWindow = roll(1...3000)
        serverLimits.concurrentStreams = roll(1...8)
        serverLimits.worklessFrames = 1 << 24
        let pair = ClientPair(limits, server: serverLimits)
        var answers: [NumberedBody] = []
        pair.answer = { request in
            let body = NumberedBody(count: request.body.count)
            answers.append(body)
            return HTTPResponse(status: .ok, body: request.target == "/now" ? .bytes(request.body) : .stream(body))
        }
        var sent: [Sent] = []
        var hasDrained = false
        for _ in 0..<roll(50...400) {
            switch roll(0...19) {
            case 0...1:
                let count = roll(0...5000)
                let content = roll(0...1) == 0 ? NumberedBody(count: count) : nil
                let body = content == nil ? ClientScheduleTests.numbered(count) : []
                var request = ClientPair.request(.post, roll(0...1) == 0 ? "/now" : "/later", body: body)
                request.fields = ["te": "trailers"]
                if let id = try? pair.client.send(request, content: content) {
                    sent.append(Sent(id: id, count: count, content: content))
                } else if !hasDrained {
                    Issue.record("expected the request to be taken, got \(String(describing: pair.client.ending))")
                    return
                }
            case 2: sent.randomElement(using: &random)?.content?.produce(roll(1...2000))
            case 3: answers.randomElement(using: &random)?.produce(roll(1...2000))
            case 4 where !sent.isEmpty:
                let index = roll(0...(sent.count - 1))
                let id = sent[index].id
                if roll(0...3) == 0, !pair.collector.isComplete(id), pair.collector.failures[id.rawValue] == nil {
                    sent[index].isCancelled = true
                    pair.client.cancel(id)
                }
            case 5: pair.collector.reads.toggle()
            case 6:
                if let reader = pair.collector.readers.sorted(by: { $0.key < $1.key }).randomElement(using: &random) {
                    reader.value.read(atMost: roll(1...500))
                }
            case 7 where roll(0...30) == 0:
                hasDrained = true
                if roll(0...1) == 0 { pair.client.drain() } else { pair.server.drain(now: pair.now) }
            default:
                let step = ClientPair.Step.allCases[roll(0...3)]
                pair.perform(step, atMost: roll(1...roll(1...5000)))
            }
        }
        pair.collector.reads = true
        for reader in pair.collector.readers.values { reader.reads = true }
        for _ in 0..<sent.count + 1 {
            for request in sent { request.content?.produce(.max >> 1) }
            pair.exchange()
            for answer in answers { answer.produce(.max >> 1) }
            pair.exchange()
        }
        #expect(pair.client.ending == nil)
        #expect(pair.server.ending == nil)
        #expect(pair.client.requestCount == 0 && pair.server.streamCount == 0)
        for request in sent {
            let failure = pair.collector.failures[request.id.rawValue]
            if request.isCancelled {
                #expect(failure == nil)
            } else if let failure {
                // The server has refused it, before its limit was known, or drains.
                #expect(failure == .unprocessed)
            } else {
                #expect(pair.collector.isComplete(request.id))
                #expect(pair.collector.content(request.id) == ClientScheduleTests.numbered(request.count))
            }
            // A body is stopped once, or finishes.
            if let content = request.content { #expect(content.stopCount == (content.hasFinished ? 0 : 1)) }
        }
        if hasDrained { #expect(pair.client.isFinished) }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `a connection that is lost at any time fails what is not complete`(
        _ seed: UInt64
    ) {
        var random = Generator(state: seed)
        let pair = ClientPair()
        var processed: Set<String> = []
        pair.answer = { request in
            processed.insert(request.target)
            return HTTPResponse(status: .ok, body: .bytes(request.body))
        }
        let ids = (0..<20).map {
            pair.send(ClientPair.request(.post, "/\($0)", body: ClientScheduleTests.numbered(200)))
        }
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let step = ClientPair.Step.allCases[Int.random(in: 0...3, using: &random)]
            pair.perform(step, atMost: Int.random(in: 1...500, using: &random))
        }
        pair.client.close()
        pair.handleEvents()
        for (index, id) in ids.enumerated() {
            let failure = pair.collector.failures[id.rawValue]
            #expect((failure == nil) == pair.collector.isComplete(id))
            if failure?.isSafeToRetry == true { #expect(!processed.contains("/\(index)")) }
        }
    }
}

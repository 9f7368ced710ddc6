import HTTP2
import HTTPModel

/// The events of a client's connection, and the content of its responses.
final class ResponseCollector {
    /// Reads the body of a response when it has content, unless it is told to wait.
    final class Reader: HTTPBodyConsumer {
        let body: any HTTPBodyStream
        private(set) var bytes: [UInt8] = []
        private(set) var isFinished = false
        private(set) var noticeCount = 0
        private var isReady = true
        /// Whether content is read as soon as there is some.
        var reads = true

        init(_ body: any HTTPBodyStream) {
            self.body = body
            body.start(self)
        }

        func bodyIsReady() {
            isReady = true
            noticeCount += 1
        }

        /// Reads at most a number of bytes; returns whether there is more.
        @discardableResult
        func read(atMost limit: Int = 1 << 20) -> Bool {
            guard isReady, !isFinished else { return false }
            var buffer: [UInt8] = []
            let progress = body.read(into: &buffer, limit: limit)
            bytes += buffer
            switch progress {
            case .more: return true
            case .waiting: isReady = false
            case .finished: isFinished = true
            }
            return false
        }
    }

    private(set) var responses: [Int32: HTTPResponse] = [:]
    private(set) var readers: [Int32: Reader] = [:]
    private(set) var failures: [Int32: HTTP2RequestFailure] = [:]
    private(set) var goAways: [HTTP2ErrorCode] = []
    /// Whether bodies are read as soon as they have content.
    var reads = true

    func handleEvents(of connection: HTTP2ClientConnection) {
        while let event = connection.nextEvent() {
            switch event {
            case .response(let id, let response):
                precondition(responses.updateValue(response, forKey: id.rawValue) == nil, "a second response")
                if case .stream(let body) = response.body {
                    readers[id.rawValue] = Reader(body)
                    readers[id.rawValue]?.reads = reads
                }
            case .failed(let id, let failure):
                precondition(failures.updateValue(failure, forKey: id.rawValue) == nil, "a second failure")
            case .goAway(let code): goAways.append(code)
            }
        }
        for reader in readers.values where reader.reads { while reader.read() {} }
    }

    /// The content of a response, as far as it has been read.
    func content(_ id: HTTP2StreamID) -> [UInt8] {
        readers[id.rawValue]?.bytes ?? responses[id.rawValue]?.body.bytes ?? []
    }

    func text(_ id: HTTP2StreamID) -> String { String(decoding: content(id), as: UTF8.self) }

    func isComplete(_ id: HTTP2StreamID) -> Bool {
        responses[id.rawValue] != nil && readers[id.rawValue]?.isFinished ?? true
    }

    func forgetResponse(_ id: HTTP2StreamID) {
        responses[id.rawValue] = nil
        readers[id.rawValue] = nil
    }
}

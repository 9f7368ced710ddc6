import HTTP1
import HTTPModel

/// The result of parsing: the requests, and the error that ended it.
struct Outcome: Equatable {
    var requests: [String] = []
    var bodies: [String] = []
    var keepsAlive: [Bool] = []
    var error: HTTP1Error?
    var remaining = 0
    var phase = HTTP1RequestParser.Phase.idle
}

extension Outcome {
    /// Parses bytes that arrive in pieces, split at these offsets. Like a connection, passes unconsumed bytes again
    /// with the next piece.
    static func parsing(_ text: String, limits: HTTP1Limits = HTTP1Limits(), cutAt offsets: [Int] = []) -> Outcome {
        let bytes = Array(text.utf8)
        var outcome = Outcome()
        var parser = HTTP1RequestParser(limits: limits)
        var pending: [UInt8] = []
        var start = 0
        for end in offsets + [bytes.count] {
            pending += bytes[start..<end]
            start = end
            guard outcome.take(&pending, &parser) else { return outcome }
        }
        outcome.remaining = pending.count
        outcome.phase = parser.phase
        return outcome
    }

    private mutating func take(_ pending: inout [UInt8], _ parser: inout HTTP1RequestParser) -> Bool {
        let count = pending.count
        let remaining = pending.withUnsafeBytes { all -> Int in
            var rest = all
            do throws(HTTP1Error) {
                while let message = try parser.parse(&rest, peer: .unknown) { add(message) }
            } catch {
                self.error = error
            }
            return rest.count
        }
        pending.removeFirst(count - remaining)
        return error == nil
    }

    private mutating func add(_ message: HTTP1Message) {
        let request = message.request
        requests.append("\(request.method.rawValue) \(request.target) \(request.authority)")
        bodies.append(String(decoding: request.body, as: UTF8.self))
        keepsAlive.append(message.exchange.keepsAlive)
    }

    /// Parses bytes that contain a single request.
    static func request(_ text: String) throws -> HTTP1Message? {
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        return try Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes
            return try parser.parse(&rest, peer: .unknown)
        }
    }
}

import Fuzz
import HTTP2
import HTTPModel

/// The connection's events for a client's bytes if no request is answered.
struct Requests: Equatable {
    private(set) var events: [String] = []
    private(set) var ending: HTTP2Ending?

    init(_ bytes: [UInt8], _ cut: Cut) {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let connection = HTTP2Connection(limits: HTTP2Limits(), scheme: "http", peer: .unknown, now: start)
        for piece in cut.pieces(of: bytes) {
            piece.withUnsafeBytes { connection.receive($0, now: start) }
        }
        while let event = connection.nextEvent() { events.append(Requests.text(of: event)) }
        ending = connection.ending
        connection.close()
    }

    private static func text(of event: HTTP2Event) -> String {
        guard case .request(let id, let request) = event else { return "\(event)" }
        var text = "\(id) \(request.method) \(request.target) \(request.authority) \(request.body)"
        request.fields.forEach { name, value in text += " \(Array(name)) \(Array(value))" }
        return text
    }
}

import HTTPModel
import Log
import MachineHost

/// Writes a line for each response, up to a number per second. One per loop, confined to it.
///
/// A line contains neither the path, the query, the fields nor the body of a request: each may be a secret.
final class AccessLog {
    private static let second: UInt64 = 1_000_000_000

    private let log: Log
    private let rate: Int
    private var secondEnd: UInt64 = 0
    private var written = 0
    private var suppressed = 0

    /// Creates the access log of a loop.
    ///
    /// - Parameter rate: The number of lines per second. Further responses are counted, and the next line has their number.
    init(log: Log, rate: Int) {
        (self.log, self.rate) = (log, rate)
    }

    /// Writes the line of a response, unless there were too many in this second.
    func write(
        _ request: HTTPRequest, _ route: RequestRoute, _ response: HTTPResponse, nanoseconds: UInt64, now: UInt64
    ) {
        if now >= secondEnd { (secondEnd, written) = (now &+ AccessLog.second, 0) }
        guard written < rate else {
            suppressed += 1
            return
        }
        written += 1
        var event = LogEvent(
            level: .info, message: "request",
            fields: [
                (name: "method", value: .text(RequestMeter.name(of: request.method))),
                (name: "route", value: .text(route.template)),
                (name: "status", value: .number(Int(response.status.code))),
                (name: "microseconds", value: .number(Int(clamping: nanoseconds / 1000))),
                (name: "received", value: .number(request.body.count)),
            ])
        if let sent = response.body.count { event.fields.append((name: "sent", value: .number(sent))) }
        if let session = SessionHost.logName(ofSessionIn: request.target) {
            event.fields.append((name: "session", value: .text(session)))
        }
        if let trace = request.trace { event.fields += trace.logFields }
        if suppressed > 0 { event.fields.append((name: "suppressed", value: .number(suppressed))) }
        suppressed = 0
        log.write(event)
    }
}

extension HTTPResponseBody {
    /// The length of the content before compression; nil for an event stream, whose length is not known.
    fileprivate var count: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .stream(let stream): stream.contentLength
        }
    }
}

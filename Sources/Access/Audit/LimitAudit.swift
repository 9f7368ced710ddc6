package import HTTPModel

/// Decides which of the events about reached limits are logged: the first of each client and limit in a minute. A value in
/// virtual time.
///
/// The log itself limits how many events of a kind it writes, whoever causes them. Without this, one client would use up what
/// others need.
package struct LimitAudit: Sendable {
    /// A client and a limit.
    private struct Subject: Hashable {
        let client: LimitKey?
        let limit: String
    }

    /// The time in which a client and a limit are logged once.
    static let interval = Duration.seconds(60)
    private let most: Int
    private var times: [Subject: MonotonicTime] = [:]

    /// Creates an audit that has logged nothing, and remembers a maximum number of clients.
    package init(most: Int = 256) { self.most = max(1, most) }

    /// Returns whether an event is logged.
    package mutating func admits(_ keys: LimitKeys, _ limit: String, at now: MonotonicTime) -> Bool {
        let subject = Subject(client: keys.first, limit: limit)
        if let time = times[subject], now < time + LimitAudit.interval { return false }
        if times.count >= most {
            times = times.filter { now < $0.value + LimitAudit.interval }
            // So many clients at once are an attack, which is in the log already.
            guard times.count < most else { return false }
        }
        times[subject] = now
        return true
    }
}

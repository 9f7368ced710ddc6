/// The keyed requests that are remembered: which key stood for which request, and the response. Keys and requests are
/// remembered as digests. An entry is forgotten at its age and not before: at the bounds, new keys are refused instead. An
/// object, since most sessions have none.
final class IdempotencyWindow {
    /// How much is remembered.
    struct Limits {
        /// How many requests.
        let requests: Int
        /// How many bytes, with ``IdempotencyWindow/overhead`` for each entry.
        let bytes: Int
        /// The largest response that is remembered whole.
        let largestResponse: Int
        /// For how long each.
        let age: Tick
    }

    /// What is to be done with a keyed request.
    enum Verdict: Equatable {
        /// It is new; it has been noted as running.
        case run
        /// It was answered with this content.
        case replay([UInt8])
        /// The key stood for another request.
        case mismatch
        /// The first request with the key has not been answered yet.
        case running
        /// The key is new, and there is no room for it until so many seconds have passed.
        case full(retryAfter: Int)
    }

    private struct Entry {
        let request: RequestDigest
        var response: [UInt8]?
        /// The entry's place in the order.
        let number: UInt64
    }

    /// What an entry takes beside its response.
    static let overhead = 128

    private var entries: [RequestDigest: Entry] = [:]
    /// The keys by age. Those that were abandoned stay until their time has come.
    private var order: [(key: RequestDigest, number: UInt64, forgottenAt: Tick)] = []
    /// Where the order begins.
    private var first = 0
    private var nextNumber: UInt64 = 0
    /// The size of what is remembered.
    private(set) var byteCount = 0

    var count: Int { entries.count }

    /// Decides what to do with a keyed request.
    func receive(_ key: RequestDigest, request: RequestDigest, now: Tick, limits: Limits) -> Verdict {
        expire(now: now)
        if let entry = entries[key] {
            guard entry.request == request else { return .mismatch }
            return entry.response.map(Verdict.replay) ?? .running
        }
        guard hasRoom(limits) else { return .full(retryAfter: secondsUntilRoom(now: now)) }
        entries[key] = Entry(request: request, response: nil, number: nextNumber)
        order.append((key, nextNumber, now + limits.age))
        nextNumber += 1
        byteCount += IdempotencyWindow.overhead
        return .run
    }

    /// Remembers the response to a request that was to be run: the whole one, or the short one if there is none or no room
    /// for it.
    func finish(_ key: RequestDigest, response: [UInt8]?, short: () -> [UInt8], limits: Limits) {
        guard entries[key] != nil else { return }
        var kept = response ?? short()
        if kept.count > limits.largestResponse || byteCount + kept.count > limits.bytes { kept = short() }
        // A buffer that was written into may be larger than what is in it.
        if kept.capacity > kept.count + 64 { kept = Array(kept[...]) }
        entries[key]?.response = kept
        byteCount += kept.count
    }

    /// Forgets a request that was to be run and was refused: it may be sent again.
    func abandon(_ key: RequestDigest) {
        guard let entry = entries[key], entry.response == nil else { return }
        forget(key, entry)
    }

    /// Forgets the responses whose time has come.
    func expire(now: Tick) {
        while first < order.count {
            let oldest = order[first]
            if let entry = entries[oldest.key], entry.number == oldest.number {
                guard oldest.forgottenAt <= now, entry.response != nil else { break }
                forget(oldest.key, entry)
            }
            first += 1
        }
        guard first > 0, 2 * first >= order.count else { return }
        order.removeFirst(first)
        first = 0
    }

    /// Whether there is room for one more request with the largest response; for one there always is.
    private func hasRoom(_ limits: Limits) -> Bool {
        guard !entries.isEmpty else { return true }
        return entries.count < limits.requests
            && byteCount + IdempotencyWindow.overhead + limits.largestResponse <= limits.bytes
    }

    private func secondsUntilRoom(now: Tick) -> Int {
        guard first < order.count, order[first].forgottenAt > now else { return 1 }
        return Int(order[first].forgottenAt - now)
    }

    private func forget(_ key: RequestDigest, _ entry: Entry) {
        entries[key] = nil
        byteCount -= IdempotencyWindow.overhead + (entry.response?.count ?? 0)
    }
}

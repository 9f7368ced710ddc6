/// The keyed requests that a session remembers: which key stood for which request, and what was answered. Bounded by number
/// and age.
struct IdempotencyWindow {
    /// What is to be done with a keyed request.
    enum Verdict: Equatable {
        /// It is new; it has been noted as under way.
        case run
        /// It was answered; this is the answer's content.
        case replay([UInt8])
        /// The key stood for another request.
        case mismatch
        /// The first of its kind has not been answered yet.
        case underWay
    }

    private struct Entry {
        let digest: [UInt8]
        var answer: [UInt8]?
        let forgottenAt: Tick
    }

    private var entries: [String: Entry] = [:]
    /// Keys in the order of their coming.
    private var order: [String] = []

    var count: Int { entries.count }

    /// A keyed request has come.
    mutating func receive(_ key: String, digest: [UInt8], now: Tick, window: Tick, limit: Int) -> Verdict {
        expire(now: now)
        if let entry = entries[key] {
            guard entry.digest == digest else { return .mismatch }
            return entry.answer.map(Verdict.replay) ?? .underWay
        }
        entries[key] = Entry(digest: digest, answer: nil, forgottenAt: now + window)
        order.append(key)
        makeRoom(limit: limit)
        return .run
    }

    /// A request that was to be run has been answered.
    mutating func finish(_ key: String, answer: [UInt8]) {
        entries[key]?.answer = answer
    }

    /// A request that was to be run was refused, and may be sent again.
    mutating func abandon(_ key: String) {
        guard entries.removeValue(forKey: key) != nil else { return }
        order.removeAll { $0 == key }
    }

    private mutating func expire(now: Tick) {
        while let oldest = order.first, let entry = entries[oldest], entry.forgottenAt <= now, entry.answer != nil {
            entries[oldest] = nil
            order.removeFirst()
        }
    }

    /// Forgets the oldest answers over the limit; what is under way stays.
    private mutating func makeRoom(limit: Int) {
        while entries.count > max(1, limit), let place = order.firstIndex(where: { entries[$0]?.answer != nil }) {
            entries[order.remove(at: place)] = nil
        }
    }
}

/// The keyed requests that a session remembers: which key stood for which request, and what was answered. Requests are
/// compared byte by byte. Bounded by number, size and age; the newest one is remembered whatever its size. An object, since most
/// sessions have none.
final class IdempotencyWindow {
    /// How much is remembered.
    struct Limits {
        /// How many requests.
        let requests: Int
        /// How many bytes of keys, requests and answers.
        let bytes: Int
        /// For how long each.
        let age: Tick
    }

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
        let request: [UInt8]
        var answer: [UInt8]?
        let forgottenAt: Tick
    }

    private var entries: [String: Entry] = [:]
    /// Keys in the order of their coming.
    private var order: [String] = []
    /// The size of what is remembered.
    private(set) var byteCount = 0

    var count: Int { entries.count }

    /// A keyed request has come.
    func receive(_ key: String, request: [UInt8], now: Tick, limits: Limits) -> Verdict {
        expire(now: now)
        if let entry = entries[key] {
            guard entry.request == request else { return .mismatch }
            return entry.answer.map(Verdict.replay) ?? .underWay
        }
        entries[key] = Entry(request: request, answer: nil, forgottenAt: now + limits.age)
        order.append(key)
        byteCount += key.utf8.count + request.count
        makeRoom(limits)
        return .run
    }

    /// A request that was to be run has been answered.
    func finish(_ key: String, answer: [UInt8], limits: Limits) {
        guard entries[key] != nil else { return }
        entries[key]?.answer = answer
        byteCount += answer.count
        makeRoom(limits)
    }

    /// A request that was to be run was refused, and may be sent again.
    func abandon(_ key: String) {
        guard let place = order.firstIndex(of: key) else { return }
        forget(at: place)
    }

    private func expire(now: Tick) {
        while let oldest = order.first, let entry = entries[oldest], entry.forgottenAt <= now, entry.answer != nil {
            forget(at: 0)
        }
    }

    /// Forgets the oldest answers over the limits; what is under way stays, and so does the newest.
    private func makeRoom(_ limits: Limits) {
        while entries.count > max(1, limits.requests) || byteCount > limits.bytes,
            let place = order.dropLast().firstIndex(where: { entries[$0]?.answer != nil })
        {
            forget(at: place)
        }
    }

    private func forget(at place: Int) {
        let key = order.remove(at: place)
        guard let entry = entries.removeValue(forKey: key) else { return }
        byteCount -= key.utf8.count + entry.request.count + (entry.answer?.count ?? 0)
    }
}

import HTTPModel

/// The remembered requests that carried an `Idempotency-Key`: each key with the digest of its request and the response.
///
/// An entry is dropped when it reaches its age. When a limit is reached, new keys are refused instead of old entries being
/// evicted: an evicted key would let a retry run a second time. In a window that clients share, this holds for whoever has the
/// most entries; a new key of another client takes the place of its oldest one.
///
/// A class, because most sessions never receive a key and then hold only a nil reference.
final class IdempotencyWindow {
    struct Limits {
        /// The maximum number of remembered requests.
        let requests: Int
        /// The maximum number of remembered bytes. Each entry counts ``IdempotencyWindow/overhead`` bytes plus its
        /// response.
        let bytes: Int
        /// The maximum size of a response that is remembered in full.
        let maxResponseBytes: Int
        /// The time for which a request is remembered.
        // Exact, not in ticks: a tick has begun before the request, so that a key would be forgotten up to a second early.
        let age: Duration
    }

    /// The decision about a request with a key.
    enum Verdict: Equatable {
        /// The request is new and is now recorded as running.
        case run
        /// A response with this content was sent for the request before.
        case replay([UInt8])
        /// The key was used for a different request.
        case mismatch
        /// The first request with this key is still being processed.
        case running
        /// The key is new, and the window has room for it only after this many seconds.
        case full(retryAfter: Int)
    }

    private struct Entry {
        let request: RequestDigest
        var response: [UInt8]?
        /// The entry's number in ``order``.
        let number: UInt64
        /// The client, in a window that clients share.
        let client: ClientTable.Client?
    }

    /// The size that an entry is charged in addition to its response.
    static let overhead = 128

    private var entries: [RequestDigest: Entry] = [:]
    /// The keys by age. An abandoned key keeps its place until its time, because removing it from the middle would cost
    /// a scan.
    private var order: [(key: RequestDigest, number: UInt64, forgottenAt: MonotonicTime)] = []
    /// The index of the oldest key in ``order``.
    private var first = 0
    private var nextNumber: UInt64 = 0
    private var shares = ClientShares()
    /// The size of all entries, as ``Limits/bytes`` counts it.
    private(set) var byteCount = 0

    var count: Int { entries.count }
    /// The number of keys whose order is known, also those that were forgotten early.
    var placeCount: Int { order.count - first }

    /// Returns what to do with a request, and records it as running if it is new.
    ///
    /// - Parameter client: The client of the request; nil in a window that clients do not share.
    func receive(
        _ key: RequestDigest, request: RequestDigest, of client: ClientTable.Client? = nil, now: MonotonicTime,
        limits: Limits
    ) -> Verdict {
        expire(now: now)
        if let entry = entries[key] {
            guard entry.request == request else { return .mismatch }
            return entry.response.map(Verdict.replay) ?? .running
        }
        while !hasRoom(limits) {
            guard let client, let donor = shares.donor(for: client), evictOldest(of: donor) else {
                return .full(retryAfter: secondsUntilRoom(now: now))
            }
        }
        insert(key, Entry(request: request, response: nil, number: nextNumber, client: client), until: now + limits.age)
        return .run
    }

    private func insert(_ key: RequestDigest, _ entry: Entry, until end: MonotonicTime) {
        assert(entries[key] == nil, "expected a key that is not remembered")
        assert(entry.number == nextNumber, "expected the number \(nextNumber), got \(entry.number)")
        entries[key] = entry
        order.append((key, nextNumber, end))
        nextNumber += 1
        byteCount += IdempotencyWindow.overhead + (entry.response?.count ?? 0)
        if let client = entry.client { shares.add(client) }
        assertPlaces()
        // Places of keys that were abandoned or evicted.
        guard order.count - first > 2 * entries.count + 64 else { return }
        order = order[first...].filter { entries[$0.key]?.number == $0.number }
        first = 0
        assert(
            order.count == entries.count,
            "expected one place for each of \(entries.count) requests, got \(order.count)")
    }

    /// Forgets the oldest answered request of a client, or of any for nil. Returns false if no such request is remembered.
    private func evictOldest(of client: ClientTable.Client?) -> Bool {
        for place in order[first...] {
            guard let entry = entries[place.key], entry.number == place.number, entry.response != nil,
                client == nil || entry.client == client
            else { continue }
            forget(place.key, entry)
            return true
        }
        return false
    }

    /// Remembers the response to a request that was run.
    ///
    /// - Parameters:
    ///   - response: The complete response, or nil if it is too large to be kept in memory.
    ///   - short: Creates the shortened response that is remembered if the complete one is missing or too large.
    func finish(_ key: RequestDigest, response: [UInt8]?, short: () -> [UInt8], limits: Limits) {
        guard entries[key] != nil else { return }
        assert(entries[key]?.response == nil, "expected the first response to a request, got another one")
        var kept = response ?? short()
        // The turn has run and cannot be undone, and a retry must not run it again. So something is always remembered:
        // the short response if the complete one does not fit.
        if kept.count > limits.maxResponseBytes || byteCount + kept.count > limits.bytes { kept = short() }
        // `append` grows buffers in powers of two. A copy of the exact size keeps `byteCount` honest.
        if kept.capacity > kept.count + 64 { kept = Array(kept[...]) }
        entries[key]?.response = kept
        byteCount += kept.count
    }

    /// Adds a request that an earlier process answered, older than all that follow.
    ///
    /// - Parameters:
    ///   - client: The client of the request; nil in a window that clients do not share.
    ///   - age: The time since it was received.
    func restore(
        _ key: RequestDigest, request: RequestDigest, response: [UInt8], of client: ClientTable.Client? = nil,
        age: Duration, now: MonotonicTime, limits: Limits
    ) {
        guard age < limits.age, entries[key] == nil else { return }
        // The response is needed now, so something has to make room, if possible something of the same client.
        while let client, !hasRoom(limits) {
            guard evictOldest(of: shares.donor(for: client) ?? client) || evictOldest(of: nil) else { break }
        }
        insert(
            key, Entry(request: request, response: response, number: nextNumber, client: client),
            until: now + (limits.age - age))
    }

    /// Returns the answered requests for a process that continues the session, oldest first.
    ///
    /// - Parameters:
    ///   - now: The stored time, in milliseconds.
    ///   - time: The same time on the loop's clock.
    func stored(now: Int64, at time: MonotonicTime, _ limits: Limits) -> [StoredSession.Keyed] {
        order[first...].compactMap { place in
            guard let entry = entries[place.key], entry.number == place.number, let response = entry.response else {
                return nil
            }
            return StoredSession.Keyed(
                key: place.key, request: entry.request, response: response[...],
                time: now - (limits.age - (place.forgottenAt - time)).wholeMilliseconds)
        }
    }

    func contains(_ key: RequestDigest) -> Bool { entries[key] != nil }

    func response(to key: RequestDigest) -> [UInt8]? { entries[key]?.response }

    /// Forgets a request that was refused before it ran, so that the client may send it again.
    func abandon(_ key: RequestDigest) {
        guard let entry = entries[key], entry.response == nil else { return }
        forget(key, entry)
    }

    /// Removes the entries that have reached their age.
    func expire(now: MonotonicTime) {
        while first < order.count {
            let oldest = order[first]
            // The key may have been abandoned and used again since: the number tells whether this place still belongs
            // to the entry.
            if let entry = entries[oldest.key], entry.number == oldest.number {
                // A running request keeps its entry beyond its age. Otherwise its retry would run concurrently.
                guard oldest.forgottenAt <= now, entry.response != nil else { break }
                forget(oldest.key, entry)
            }
            first += 1
        }
        assertPlaces()
        // Removing from the front shifts the rest, so it is done only when half of the array is free. Each key then
        // moves about once.
        guard first > 0, 2 * first >= order.count else { return }
        order.removeFirst(first)
        first = 0
    }

    /// Returns whether one more request fits with the largest response. An empty window always has room, so that a
    /// limit below one response does not disable keys.
    private func hasRoom(_ limits: Limits) -> Bool {
        guard !entries.isEmpty else { return true }
        return entries.count < limits.requests
            && byteCount + IdempotencyWindow.overhead + limits.maxResponseBytes <= limits.bytes
    }

    private func secondsUntilRoom(now: MonotonicTime) -> Int {
        first < order.count ? Int((order[first].forgottenAt - now).ticks) : 1
    }

    private func forget(_ key: RequestDigest, _ entry: Entry) {
        entries[key] = nil
        if let client = entry.client { shares.remove(client) }
        byteCount -= IdempotencyWindow.overhead + (entry.response?.count ?? 0)
        assert(
            byteCount >= entries.count * IdempotencyWindow.overhead && (byteCount == 0 || !entries.isEmpty),
            "expected the bytes of \(entries.count) requests, got \(byteCount)")
    }

    /// Without a place, an entry would never reach its age.
    @inline(__always)
    private func assertPlaces() {
        assert(
            placeCount >= entries.count, "expected a place for each of \(entries.count) requests, got \(placeCount)")
    }
}

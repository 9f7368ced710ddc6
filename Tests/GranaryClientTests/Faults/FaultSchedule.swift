import GranaryClient

/// A random schedule of faults, the same for the same seed.
struct FaultSchedule {
    private var random: SeededRandom
    /// The probability of a fault, in percent; it differs between seeds.
    private let percent: Int

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        percent = [5, 20, 40, 60].randomElement(using: &random) ?? 20
    }

    /// Returns how long a message travels.
    mutating func latency() -> Duration {
        random.chance(10) ? .milliseconds(Int.random(in: 20...3000, using: &random)) : .milliseconds(5)
    }

    /// Returns what happens to a request; nil for nothing.
    mutating func fault() -> NetworkFault? {
        guard random.chance(percent) else { return nil }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .refused
        case 1: return .lostRequest
        case 2, 3, 4: return .cut(after: Int.random(in: 0...200, using: &random))
        case 5: return .cut(after: Int.random(in: 200...800, using: &random))
        case 6: return .short(Int.random(in: 0...80, using: &random))
        case 7: return .long
        case 8: return .duplicate(.milliseconds(Int.random(in: 0...60_000, using: &random)))
        case 9: return .late(.milliseconds(Int.random(in: 0...90_000, using: &random)))
        case 10: return .replaced(status: [421, 429, 502, 503].randomElement(using: &random) ?? 502)
        default:
            let status = [401, 421, 429, 500, 503].randomElement(using: &random) ?? 503
            return .status(status, retryAfter: random.chance(50) ? Int.random(in: 0...20, using: &random) : nil)
        }
    }

    /// Returns what happens to a stream that is open: text that ends it, or nil for a cut.
    mutating func streamEnd() -> String? {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: "retry: 700\n\nevent: end\ndata: {\"reason\":\"rotated\"}\n\n"
        case 1: "event: end\ndata: {\"reason\":\"unauthorized\"}\n\n"
        case 2: "retry: 1500\n\nevent: end\ndata: {\"reason\":\"busy\"}\n\n"
        case 3: "event: chan"
        case 4: "event: change\ndata: {\"session\":\"broken\n\n"
        default: nil
        }
    }

    /// Returns a pause.
    mutating func pause(upTo limit: Int) -> Duration { .milliseconds(Int.random(in: 0...limit, using: &random)) }
}

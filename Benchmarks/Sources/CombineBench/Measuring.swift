/// What one operation of a row takes.
struct Cost: Codable {
    var name: String
    var nanoseconds: Double?
    var allocations: Double?
}

extension Row {
    /// The time of one operation: the best of ten runs, each long enough for the clock.
    func time() -> Cost {
        var rounds = 1_000
        var elapsed = elapsed(rounds)
        while elapsed < .milliseconds(20), rounds < 1 << 30 {
            rounds *= 2
            elapsed = self.elapsed(rounds)
        }
        for _ in 0..<10 { elapsed = min(elapsed, self.elapsed(rounds)) }
        return Cost(name: name, nanoseconds: elapsed / .nanoseconds(1) / Double(rounds * scale))
    }

    private func elapsed(_ rounds: Int) -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        keep(run(rounds))
        return clock.now - start
    }

    /// The allocations of one operation: the difference of two run lengths, so that setting up does not count.
    func allocations() -> Cost {
        let rounds = 1_000
        let short = asked(rounds)
        let long = asked(3 * rounds)
        let difference = long.flatMap { long in short.map { long - $0 } }
        return Cost(name: name, allocations: difference.map { Double($0) / Double(2 * rounds * scale) })
    }

    private func asked(_ rounds: Int) -> Int? {
        keep(run(rounds))
        let before = Allocations.count
        keep(run(rounds))
        return Allocations.count.flatMap { now in before.map { now - $0 } }
    }
}

/// Takes a result, so that what led to it is not left out.
@inline(never)
@_optimize(none)
func keep(_ result: Int) {}

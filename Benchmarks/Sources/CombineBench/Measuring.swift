import Glibc

/// The cost of one operation of a row.
struct Cost: Codable {
    var name: String
    var nanoseconds: Double?
    var allocations: Double?
}

extension Row {
    /// The processor time of one operation on all threads: the best of eleven runs, each long enough for the clock, or
    /// their median if threads contend with each other.
    func time() -> Cost {
        // Contended rows need longer runs, because starting and synchronizing the threads takes time.
        var rounds = isContended ? 1 << 20 : 1_000
        var elapsed = elapsed(rounds)
        while elapsed < .milliseconds(20), rounds < 1 << 30 {
            rounds *= 2
            elapsed = self.elapsed(rounds)
        }
        let runs = (0..<11).map { _ in self.elapsed(rounds) }.sorted()
        let typical = isContended ? runs[runs.count / 2] : runs[0]
        return Cost(name: name, nanoseconds: typical / .nanoseconds(1) / Double(rounds * scale))
    }

    private func elapsed(_ rounds: Int) -> Duration {
        let start = Self.processorTime
        keep(run(rounds))
        return Self.processorTime - start
    }

    /// The processor time of the process, which does not include that of other processes.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The allocations of one operation: the difference between two run lengths, which excludes the setup.
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

/// Consumes a result, so that the compiler cannot eliminate its computation.
@inline(never)
@_optimize(none)
func keep(_ result: Int) {}

/// The times of many samples of one kind, in nanoseconds.
struct TimingSamples {
    private var values: [UInt64] = []

    mutating func add(_ nanoseconds: UInt64) { values.append(nanoseconds) }

    /// Returns the time that a part of the samples does not exceed.
    func quantile(_ part: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return 0 }
        return Double(sorted[min(last, Int(part * Double(sorted.count)))])
    }

    static func + (left: TimingSamples, right: TimingSamples) -> TimingSamples {
        var sum = left
        sum.values += right.values
        return sum
    }
}

/// Compares kinds of requests, whose samples alternate, with a reference that was sampled as two kinds.
///
/// The difference between the two halves of the reference is what the machine adds by chance (A/A). A kind is suspicious if its lower
/// quantiles, which other processes hardly disturb, differ by clearly more than that, and by a part that one more step would add.
struct TimingComparison {
    /// The least part of the reference's time that is regarded as a difference.
    // Measured: a look-up that is left out is 20 % and more. Accesses that find something instead of nothing are below 1 %.
    private static let leastPart = 0.05
    private static let quantiles = [0.15, 0.3, 0.45]

    /// Returns the kinds that are faster, with -1, or slower, with 1.
    static func suspects(_ kinds: [String: TimingSamples], first: TimingSamples, second: TimingSamples) -> [String: Int]
    {
        kinds.compactMapValues { samples in
            let signs = quantiles.map { part -> Int in
                let reference = (first + second).quantile(part)
                let chance = abs(first.quantile(part) - second.quantile(part))
                let difference = samples.quantile(part) - reference
                guard abs(difference) > max(3 * chance, leastPart * reference) else { return 0 }
                return difference < 0 ? -1 : 1
            }
            return signs.allSatisfy { $0 == signs[0] } && signs[0] != 0 ? signs[0] : nil
        }
    }

    /// Repeats a measurement until no kind is suspicious in the same direction each time. Returns those that always are.
    ///
    /// A difference of the code is in every measurement, and one of the machine is not.
    static func confirmed(repetitions: Int, _ measure: () throws -> [String: Int]) rethrows -> [String: Int] {
        var suspects = try measure()
        for _ in 1..<repetitions where !suspects.isEmpty {
            let again = try measure()
            suspects = suspects.filter { again[$0.key] == $0.value }
        }
        return suspects
    }
}

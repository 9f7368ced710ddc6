import HTTPModel
import Testing

@testable import Access

/// Random clients on several loops, whose visits come at random times and in any order.
@Suite struct RateSimulationTests {
    private let start = MonotonicTime(nanoseconds: 0) + .seconds(100)
    private let keys = (1...3).map { LimitKey.principal(PrincipalHash(bits: UInt128($0))) }

    /// How often each loop is used by each client; changes now and then.
    private func weights(_ loops: Int, _ random: inout TestRandom) -> [Int] {
        (0..<loops).map { _ in Bool.random(using: &random) ? Int.random(in: 1...20, using: &random) : 0 }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `all loops together never permit more than one bucket would`(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let count = Int.random(in: 2...8, using: &random)
        let quota = Int.random(in: count + 2...200, using: &random)
        let limit = RateLimit("x", quota: quota, window: .seconds(Int64.random(in: 1...20, using: &random)))
        var loops = RateLoops(limit, count, at: start)
        // One bucket for each client that permits what the rate permits.
        var whole = Dictionary(uniqueKeysWithValues: keys.map { ($0, TokenBucket()) })
        var weights = weights(count, &random)
        var now = start
        for step in 0..<6000 {
            now = now + .microseconds(Int64.random(in: 0...Int64(2_000_000 / quota), using: &random))
            if step.isMultiple(of: 500) { weights = self.weights(count, &random) }
            let loop = (0..<count).filter { weights[$0] > 0 }.randomElement(using: &random) ?? 0
            // The clocks of loops differ.
            let seen = now + .microseconds(Int64(loop) * 700)
            for key in keys {
                let tokens = Int.random(in: 1...3, using: &random)
                guard loops.tables[loop].take(tokens, for: key, at: seen).isAllowed else { continue }
                let isPermitted = whole[key]?.take(tokens, of: limit, at: now + .milliseconds(6)).isAllowed
                #expect(isPermitted == true, "seed \(seed), step \(step)")
            }
            guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
            let visitor = loops.waiting.randomElement(using: &random) ?? Int.random(in: 0..<count, using: &random)
            loops.visit(visitor, at: now + .microseconds(Int64(visitor) * 700))
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a client that stays on one loop gets nearly its whole rate`(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let count = Int.random(in: 2...8, using: &random)
        let quota = Int.random(in: 1...300, using: &random)
        let limit = RateLimit("x", quota: quota, window: .seconds(5))
        var loops = RateLoops(limit, count, at: start)
        // It has used all loops before.
        for loop in 0..<count { _ = loops.drain(loop, keys[0], at: start) }
        loops.exchange(at: start)
        let home = Int.random(in: 0..<count, using: &random)
        var permitted = 0
        let steps = 5000
        for step in 1...steps {
            let now = start + .milliseconds(Int64(step) * 10)
            permitted += loops.drain(home, keys[0], at: now, most: 10)
            if step.isMultiple(of: 2) { loops.exchange(at: now) }
        }
        // 50 s are ten windows. Half a second is for the exchanges.
        #expect(permitted <= 10 * quota + 1)
        #expect(Double(permitted) >= 9.9 * Double(quota) * 0.97 - 1, "seed \(seed): \(permitted) of \(10 * quota)")
    }
}

import CombineCore
import CombineTesting
import Dispatch
import Foundation
import StateCapture
import Testing

/// What happens to a machine in one turn.
private enum Step {
    case a(Int)
    case b(Int)
    case failing(Int)
    case signal
    case current(Int)
    case published(Int)
    case advance(milliseconds: Int)
    case finishA
    case finishB
    case fail
    case request(Int)
    case cancel

    static func random(using generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<22: .a(Int.random(in: 0..<5, using: &generator))
        case 22..<36: .b(Int.random(in: 0..<5, using: &generator))
        case 36..<46: .failing(Int.random(in: 0..<5, using: &generator))
        case 46..<50: .signal
        case 50..<54: .current(Int.random(in: 0..<5, using: &generator))
        case 54..<58: .published(Int.random(in: 0..<5, using: &generator))
        case 58..<90: .advance(milliseconds: Int.random(in: 0..<140, using: &generator))
        case 90..<91: .finishA
        case 91..<92: .finishB
        case 92..<94: .fail
        case 94..<99: .request(Int.random(in: 1..<3, using: &generator))
        default: .cancel
        }
    }

    func run(in world: TwinWorld) {
        switch self {
        case .a(let value): world.turn { world.a.send(value) }
        case .b(let value): world.turn { world.b.send(value) }
        case .failing(let value): world.turn { world.failing.send(value) }
        case .signal: world.turn { world.signal.send() }
        case .current(let value): world.turn { world.current.value = value }
        case .published(let value): world.turn { world.published.number = value }
        case .advance(let milliseconds):
            world.main.advance(by: .milliseconds(milliseconds))
            world.capture()
        case .finishA: world.turn { world.a.send(completion: .finished) }
        case .finishB: world.turn { world.b.send(completion: .finished) }
        case .fail: world.turn { world.failing.send(completion: .failure(TestError(1))) }
        case .request(let count): world.turn { for pull in world.pulls { pull.request(count) } }
        case .cancel: world.turn { world.tokens.last?.cancel() }
        }
    }
}

/// A generator of random numbers that repeats them for a seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// `THOROUGH=1` runs more seeds.
@Suite struct TwinTests {
    private static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["THOROUGH"] == nil ? 1...3 : 1...24

    @Test(arguments: TwinPipeline.all)
    func `a pipeline that is restored at any time delivers what its twin delivers`(pipeline: TwinPipeline) {
        for seed in Self.seeds {
            var generator = SeededGenerator(seed: seed)
            let steps = (0..<40).map { _ in Step.random(using: &generator) }
            // Every third seed restores the machine after each step, and so from machines that were restored themselves.
            let lives: Set<Int> =
                seed.isMultiple(of: 3) ? Set(steps.indices) : [Int.random(in: steps.indices, using: &generator)]
            let expected = TwinWorld(wire: pipeline.wire)
            var twin = TwinWorld(wire: pipeline.wire)
            var log: [String] = []
            for (index, step) in steps.enumerated() {
                step.run(in: expected)
                step.run(in: twin)
                guard lives.contains(index) else { continue }
                log += twin.log
                let clock = Duration.seconds(Int.random(in: 1...10_000, using: &generator))
                twin = TwinWorld(twin.snapshot, clock: clock, wire: pipeline.wire)
                // Wiring and capturing a restored machine finds everything in its place, and changes nothing.
                guard twin.staleKeys == [], twin.registry.mismatches == [], twin.lastCount == 0 else {
                    Issue.record(
                        """
                        \(pipeline), seed \(seed), restored after \(index): stale \(twin.staleKeys), mismatches \
                        \(twin.registry.mismatches), \(twin.lastCount) changes: \(twin.lastChanges)
                        """)
                    return
                }
            }
            log += twin.log
            #expect(twin.registry.obstacles == [])
            guard log != expected.log else { continue }
            let place = zip(log, expected.log).prefix { $0 == $1 }.count
            Issue.record(
                """
                \(pipeline), seed \(seed), restored after \(lives.sorted().prefix(3)): at \(place), expected \
                \(expected.log.dropFirst(place).prefix(4)), got \(log.dropFirst(place).prefix(4)); steps \(steps)
                """)
            return
        }
    }
}

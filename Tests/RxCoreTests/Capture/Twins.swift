import Foundation
import RxCore
import StateCapture
import Testing

/// A pipeline and a twin that is captured, discarded and restored between random steps. `THOROUGH=1` runs more seeds.
enum Twins {
    static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["THOROUGH"] == nil ? 1...4 : 1...40
    /// More of them, for what emits only when its source completes, which few seeds let it do.
    static let seedsWithEnds = seeds.lowerBound...max(seeds.upperBound, 13)

    /// Checks that both emit the same at the same times, for several seeds.
    ///
    /// - Parameters:
    ///   - completes: Whether the inputs may complete.
    ///   - transient: The names of operators that are not captured.
    ///   - wire: Wires the pipeline.
    static func check(
        completes: Bool = true, transient: Set<String> = [], seeds: ClosedRange<UInt64> = seeds,
        sourceLocation: SourceLocation = #_sourceLocation, _ wire: @escaping CapturedPipeline.Wire
    ) {
        var outputs = 0
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            let steps = (0..<20).map { _ in step(completes, &random) }
            let pipeline = CapturedPipeline(transient: transient, wire)
            var twin = CapturedPipeline(transient: transient, wire)
            var history: [String] = []
            for step in steps {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    twin = twin.restarted(wire)
                    history.append("restart")
                    #expect(twin.unknownParts == [], "seed \(seed)", sourceLocation: sourceLocation)
                    #expect(twin.registry.mismatches == [], "seed \(seed)", sourceLocation: sourceLocation)
                    #expect(twin.registry.obstacles == [], "seed \(seed)", sourceLocation: sourceLocation)
                }
                pipeline.perform(step)
                twin.perform(step)
                history.append(step.description)
                // The end of a part may let others end, which the next capture finds.
                twin.capture()
                let unchanged = twin.capture()
                #expect(
                    unchanged == 0, "nothing happened, but \(unchanged) states changed", sourceLocation: sourceLocation)
                guard twin.log == pipeline.log else {
                    Issue.record(
                        "seed \(seed): after \(history), expected \(pipeline.log), got \(twin.log)",
                        sourceLocation: sourceLocation)
                    return
                }
            }
            outputs += pipeline.log.count
        }
        #expect(outputs > 0, "the pipeline emits something", sourceLocation: sourceLocation)
    }

    private static func step(_ completes: Bool, _ random: inout SeededGenerator) -> CapturedPipeline.Step {
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where completes: .complete(b: Bool.random(using: &random))
        case 0..<9: .send(Int.random(in: 0..<4, using: &random), toB: false)
        case 9..<13: .send(Int.random(in: 0..<4, using: &random), toB: true)
        default: .advance(milliseconds: Int.random(in: 1...90, using: &random))
        }
    }
}

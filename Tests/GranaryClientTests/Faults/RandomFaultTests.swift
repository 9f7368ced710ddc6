import Foundation
import Testing

@testable import GranaryClient

/// Random schedules of faults between a client and a real host in memory. `THOROUGH=1` runs a thousand of them, and
/// `CLIENT_SEED=7` one.
@MainActor
struct RandomFaultTests {
    private static var seeds: ClosedRange<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["CLIENT_SEED"].flatMap({ UInt64($0) }) { return seed...seed }
        return environment["THOROUGH"] == nil ? 1...20 : 1...1000
    }

    @Test func `outputs are those of the session at the end, and each input ran once`() async throws {
        var (successes, requests, seeds) = (0, 0, 0)
        for seed in Self.seeds {
            let run = try FaultRun(seed: seed)
            try await run.run()
            successes += run.successCount
            requests += run.requestCount
            seeds += 1
            await Task.yield()
        }
        // Most inputs succeed, and there were faults: without any, an input needs one request.
        #expect(successes > seeds * 20)
        #expect(requests > seeds * 30)
    }
}

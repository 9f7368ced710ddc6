import Combine
import Granary
import MachineTesting
import RicemillAdapter
import SharedCounter
import Testing

@Suite struct HostedCounterTests {
    @Test func `a fact is shown when the number has not changed for a while`() throws {
        let machine = try MachineDefinition.ricemill("counter", summary: "Counts.") { _ in
            CounterViewModel(
                input: .init(), store: .init(), extra: .init { Just("\($0) is a number.").eraseToAnyPublisher() })
        }
        let harness = try HostHarness([machine])
        let session = harness.makeSession(of: "counter")

        let response = harness.send(.post, "\(session)/inputs/increment")
        #expect(response.text == #"{"version":1,"changes":{"count":1}}"#)

        harness.loop.advance(by: .milliseconds(299))
        #expect(harness.send(.get, "\(session)/outputs").text == #"{"count":1,"fact":""}"#)
        harness.loop.advance(by: .milliseconds(1))
        #expect(harness.send(.get, "\(session)/outputs").text == #"{"count":1,"fact":"1 is a number."}"#)
    }
}

import Combine
import HTTPModel
import MachineTesting
import Testing

/// The counters that the documents show side by side look the same to a client.
@Suite struct HostedCountersTests {
    @Test(arguments: ["observable-counter", "ricemill-counter", "unio-counter", "composable-counter"])
    func `the same counter in each style answers alike`(machine: String) throws {
        let harness = try HostHarness(counters() + [observableCounter()])
        let session = harness.makeSession(of: machine)
        let answers = ["increment", "increment", "decrement", "decrement", "decrement"].map { input in
            harness.send(.post, "\(session)/inputs/\(input)").text
        }
        #expect(
            answers == [
                #"{"version":1,"changes":{"count":1}}"#, #"{"version":2,"changes":{"count":2}}"#,
                #"{"version":3,"changes":{"count":1}}"#, #"{"version":4,"changes":{"count":0}}"#,
                #"{"version":4,"changes":{}}"#,
            ])
    }

    @Test func `a machine with a list shows what is listed`() throws {
        let harness = try HostHarness([account()])
        let session = harness.makeSession(of: "account")
        let outputs = harness.send(.get, "\(session)/outputs").text
        #expect(outputs == #"{"name":"nobody","initial":"n"}"#)
        let renamed = harness.send(.post, "\(session)/inputs/rename", body: #""Ann""#).text
        #expect(renamed == #"{"version":1,"changes":{"name":"Ann","initial":"A"}}"#)
    }

    @MainActor
    @Test func `the label shows what the counter counts`() async {
        let counts = CurrentValueSubject<Int, Never>(0)
        let label = CounterLabel(showing: counts)
        for count in 1...3 {
            counts.send(count)
            while label.text != "\(count)" { await Task.yield() }
        }
        #expect(label.text == "3")
    }
}

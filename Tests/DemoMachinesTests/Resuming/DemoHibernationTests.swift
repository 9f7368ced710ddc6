import DemoMachines
import HTTPModel
import MachineHost
import Testing

@testable import MachineTesting

/// Sessions of the demos sleep while nobody uses them, and nobody notices.
struct DemoHibernationTests {
    /// The machines as the server hosts them.
    private static let demos =
        [.observableCounter, .counter, .counterPublishers, .ticTacToe]
        + [.gitHubSearchWithEffects, .unioSearchWithEffects]
        + UnioConformanceTests.demos + DemoResumptionTests.composable

    @Test(arguments: demos)
    func `a session that sleeps after each step ends like one that never does`(machine: MachineCase) throws {
        var configuration = HostConfiguration()
        configuration.stateSeed = 1
        let sleeper = try RestartableHost([machine.definition.hibernating], configuration: configuration)
        configuration.hibernateAfter = nil
        let twin = try RestartableHost([machine.definition], configuration: configuration)
        let sessions = [sleeper, twin].map { $0.harness.makeSession(of: machine.definition.name) }
        var sleeps = 0
        for step in machine.script {
            let answers = zip([sleeper, twin], sessions).map { host, session in
                switch step.action {
                case .wait(let duration): host.harness.loop.advance(by: duration)
                case .input(let name, let json):
                    _ = host.send(.post, "\(session)/inputs/\(PercentEncoding.encode(name))", body: json)
                }
                host.harness.loop.advance(by: .seconds(100))
                return host.send(.get, session + "/outputs").text
            }
            try #require(answers[0] == answers[1], "after \(step)")
            if sleeper.harness.host.sessionCount == 0 { sleeps += 1 }
        }
        #expect(sleeps > 0)
    }

    @Test func `every composable demo declares that it sleeps`() {
        #expect(DemoResumptionTests.composable.allSatisfy { $0.definition.hibernates })
    }
}

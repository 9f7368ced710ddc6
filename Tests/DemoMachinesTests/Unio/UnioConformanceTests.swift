import CombineCore
import DemoMachines
import MachineHost
import MachineTesting
import Testing
import Unio
import UnioAdapter

@testable import GitHubAPI

/// Tests that the Unio demos fulfil the contract of hosted machines.
struct UnioConformanceTests {
    @Test(arguments: MachinePoint.allCases, demos)
    func `every Unio machine of the demo fulfils the contract`(point: MachinePoint, machine: MachineCase) {
        #expect(machine.findings(point) == [])
    }

    static let demos = [
        unio("unio-counter", ["countDown", "countUp", "countUp", "countDown", "countUp", "countReset"]) { _ in
            CounterStream(input: .init(), state: .init(), extra: .init())
        },
        unio(
            "unio-search",
            [
                #"searchText "s""#, #"searchText "swift""#, .wait(.milliseconds(300)), .wait(.milliseconds(50)),
                #"searchText "fail""#, .wait(.seconds(1)), #"searchText """#, .wait(.seconds(1)), "searchText null",
                .wait(.seconds(1)), #"searchText "nio""#, .wait(.seconds(1)),
            ]
        ) { context in
            let scheduler = context.scheduler
            return GitHubSearchViewStream(
                apiExtra: .init(searchRepositories: { query in
                    answer(to: query).delay(for: .milliseconds(50), scheduler: scheduler).eraseToAnyPublisher()
                }))
        },
    ]

    /// Returns two repositories for every text except one, which fails.
    private static func answer(to query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        guard query.text != "fail" else {
            return Fail(error: GitHubError(.timedOut, "GitHub took too long.")).eraseToAnyPublisher()
        }
        let length = query.text.count
        let page = RepositoryPage(
            repositories: [.numbered(length), .numbered(length + 1)], totalCount: 2, number: 1, nextPage: nil)
        return Just(page).setFailureType(to: GitHubError.self).eraseToAnyPublisher()
    }

    private static func unio<S: UnioStreamType & SendableMetatype>(
        _ name: String, _ script: [MachineStep], make: @escaping @Sendable (SessionContext) throws -> S
    ) -> MachineCase {
        do {
            return MachineCase(try .unio(name, summary: "A demo.", make: make), script: script)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

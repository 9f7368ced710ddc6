import CombineCore
import CombineSchedulers
import DemoMachines
import GitHubAPI
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter

extension MachineCase {
    static let counter = ricemill(
        "counter", ["increment", "increment", "isOn true", "decrement", "decrement", "decrement", "isOn false"]
    ) { _ in
        CounterViewModel(input: .init(), store: .init(), extra: .init())
    }

    static let counterPublishers = ricemill(
        "counter-publishers",
        ["isOn true", "increment", "increment", "decrement", "decrement", "decrement", "isOn false"]
    ) { _ in
        CounterPublishersViewModel(input: .init(), store: .init(), extra: .init())
    }

    static let ticTacToe: MachineCase = {
        do {
            return MachineCase(
                try .ticTacToe(),
                script: [
                    #"handleAddress {"id":0}"#, #"handleAddress {"id":3,"player":"o"}"#, #"handleAddress {"id":3}"#,
                    #"handleAddress {"id":1}"#, #"handleAddress {"id":4,"player":null}"#, #"handleAddress {"id":2}"#,
                    #"handleAddress {"id":8}"#, "startNewGame",
                ])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static let gitHubSearch = ricemill(
        "github-search",
        [
            #"text "s""#, #"text "swift""#, .wait(.milliseconds(300)), .wait(.milliseconds(50)), "nextPage",
            .wait(.milliseconds(50)), "search", .wait(.seconds(1)), #"text "fail""#, .wait(.seconds(1)), #"text """#,
        ]
    ) { context in
        let scheduler = context.scheduler
        return GitHubSearchViewModel(
            input: .init(), store: .init(),
            extra: .init(
                searchRepositories: { query in
                    FakeGitHub.answer(to: query)
                        .delay(for: .milliseconds(50), scheduler: scheduler)
                        .eraseToAnyPublisher()
                },
                scheduler: scheduler.eraseToAnyScheduler()))
    }

    private static func ricemill<M: MachineType & SendableMetatype>(
        _ name: String, _ script: [MachineStep], make: @escaping @Sendable (SessionContext) throws -> M
    ) -> MachineCase {
        do {
            return MachineCase(try .ricemill(name, summary: "A demo.", make: make), script: script)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

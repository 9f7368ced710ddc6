import Access
import CombineCore
import CombineSchedulers
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import MachineAdapters
import MachineHost
import Ricemill
import RicemillAdapter
import RxCore
import Unio
import UnioAdapter

/// What the machines of these tests know of their sessions.
struct Witness {
    /// The parameters of a session.
    struct Start: Decodable, Sendable { let prefix: String }

    private let context: SessionContext
    private let prefix: String
    private let creator: String

    init(_ context: SessionContext, _ start: Start) {
        self.context = context
        prefix = start.prefix
        creator = context.principal?.id ?? "nobody"
    }

    /// The prefix, who has created the session, and who has sent the input that is being run.
    var text: String {
        switch context.sender {
        case nil: "\(prefix)\(creator)/nobody"
        case .principal(let principal): "\(prefix)\(creator)/\(principal.id)"
        case .ticket(let label): "\(prefix)\(creator)/ticket \(label)"
        }
    }

    var queue: AnySchedulerOf<DispatchQueue> { context.scheduler.eraseToAnyScheduler() }

    func later(_ work: @escaping () -> Void) {
        _ = context.scheduler.schedule(after: .seconds(1), repeating: nil, work)
    }

    func refuse() { context.refuse("\(text) may not") }
}

/// A machine of each style with the same inputs and outputs.
enum WitnessMachine: String, CaseIterable, Sendable {
    case ricemill, unio, composable, view, listed

    func definition() throws -> MachineDefinition {
        let machine = try undivided()
        return machine.views(["owner": .all, "guest": ["count"]]) { $0.isOwner ? "owner" : "guest" }
    }

    private func undivided() throws -> MachineDefinition {
        switch self {
        case .ricemill:
            try .ricemill(rawValue, summary: "Listens.", parameters: Witness.Start.self) { context, start in
                SpeakerMachine(input: .init(), store: .init(), extra: .init(session: Witness(context, start)))
            }
        case .unio:
            try .unio(rawValue, summary: "Listens.", parameters: Witness.Start.self) { context, start in
                SpeakerStream(input: .init(), state: .init(), extra: .init(session: Witness(context, start)))
            }
        case .composable:
            try .composable(rawValue, summary: "Listens.", parameters: Witness.Start.self, make: WitnessMachine.store)
        case .view:
            try .composable(
                rawValue, summary: "Listens.", parameters: Witness.Start.self, view: { $0 }, make: WitnessMachine.store)
        case .listed:
            try .composable(
                rawValue, summary: "Listens.", parameters: Witness.Start.self,
                outputs: [.value("senders", \.senders), .value("count", \.count)], make: WitnessMachine.store)
        }
    }

    @Sendable private static func store(
        _ context: SessionContext, _ start: Witness.Start
    ) -> Store<SpeakerFeature.State, SpeakerFeature.Action> {
        Store(initialState: .init(), reducer: SpeakerFeature(session: Witness(context, start)))
    }
}

private final class SpeakerMachine: Machine<SpeakerMachine> {
    typealias Output = Store

    struct Input: Ricemill.InputType {
        let speak = PassthroughSubject<Void, Never>()
        let later = PassthroughSubject<Void, Never>()
        let refuse = PassthroughSubject<Void, Never>()
    }

    final class Store: StoredOutputType {
        @Published var senders: [String] = []
        @Published var count = 0
    }

    struct Extra: Ricemill.ExtraType { let session: Witness }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        func note() {
            store.senders.append(extra.session.text)
            store.count += 1
        }
        return Polished(cancellables: [
            input.speak.sink { note() },
            input.later.sink { extra.session.later { note() } },
            input.refuse.sink { extra.session.refuse() },
        ])
    }
}

private final class SpeakerStream: UnioStream<SpeakerStream> {
    struct Input: Unio.InputType {
        let speak = PublishRelay<Void>()
        let later = PublishRelay<Void>()
        let refuse = PublishRelay<Void>()
    }

    struct State: StateType {
        let senders = BehaviorRelay<[String]>(value: [])
        let count = BehaviorRelay(value: 0)
    }

    struct Output: Unio.OutputType {
        let senders: BehaviorRelay<[String]>
        let count: BehaviorRelay<Int>
    }

    struct Extra: Unio.ExtraType { let session: Witness }

    static func bind(from dependency: Unio.Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, inputs, session) = (dependency.state, dependency.inputObservables, dependency.extra.session)
        func note() {
            state.senders.accept(state.senders.value + [session.text])
            state.count.accept(state.count.value + 1)
        }
        inputs.speak.subscribe(onNext: { note() }).disposed(by: disposeBag)
        inputs.later.subscribe(onNext: { session.later { note() } }).disposed(by: disposeBag)
        inputs.refuse.subscribe(onNext: { session.refuse() }).disposed(by: disposeBag)
        return Output(senders: state.senders, count: state.count)
    }
}

private struct SpeakerFeature: ReducerProtocol {
    struct State: Equatable, Codable, Sendable {
        var senders: [String] = []
        var count = 0
    }

    enum Action: Equatable { case speak, later, refuse }

    let session: Witness

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .speak:
            state.senders.append(session.text)
            state.count += 1
            return .none
        case .later: return Effect(value: Action.speak).delay(for: 1, scheduler: session.queue).eraseToEffect()
        case .refuse:
            session.refuse()
            return .none
        }
    }
}

import CombineCore
import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import MachineAdapters
import MachineHost
import MachineTesting
import Observation
import RxCore
import Testing
import Unio
import UnioAdapter

/// The forms of topics in the machines of the frameworks, and in an observable class.
struct TopicFormTests {
    /// A stream that chats.
    final class ChatStream: UnioStream<ChatStream> {
        struct Input: InputType {
            let say = PublishRelay<String>()
        }

        struct Output: OutputType {
            let heard: BehaviorRelay<[String]>
        }

        struct State: StateType {
            let heard = BehaviorRelay<[String]>(value: [])
        }

        struct Extra: ExtraType {
            let chat: Topic<String>
        }

        static func bind(from dependency: Unio.Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
            let (heard, chat) = (dependency.state.heard, dependency.extra.chat)
            dependency.inputObservables.say
                .bind(to: chat)
                .disposed(by: disposeBag)
            chat.asObservable()
                .map { heard.value + [$0] }
                .bind(to: heard)
                .disposed(by: disposeBag)
            return Output(heard: heard)
        }
    }

    /// A store that chats.
    struct Chat: ReducerProtocol {
        struct State: Codable, Equatable {
            var heard: [String] = []
            var there = 0
        }

        enum Action: Equatable {
            case say(String)
            case enter(String)
            case heard(String)
            case listed(Int)
        }

        let post: (String) -> EffectTask<Action>
        let enter: (String?) -> EffectTask<Action>

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .say(let text): return post(text)
            case .enter(let name): return enter(name)
            case .heard(let text): state.heard.append(text)
            case .listed(let count): state.there = count
            }
            return .none
        }
    }

    /// A class that listens in a task.
    @Observable
    final class Listener {
        private(set) var heard: [String] = []
        @ObservationIgnored private let chat: Topic<String>

        init(_ chat: Topic<String>) {
            self.chat = chat
        }

        func say(_ text: String) { chat.send(text) }

        func sayAll(_ texts: [String]) { for text in texts { chat.send(text) } }

        func listen() async {
            for await text in chat.values { heard.append(text) }
        }
    }

    private func host() throws -> RestartableHost { try RestartableHost(TopicFormTests.machines()) }

    private static func machines() throws -> [MachineDefinition] {
        [
            try .unio("unio", summary: "Chats.") { context in
                ChatStream(input: .init(), state: .init(), extra: .init(chat: context.topic("chat")))
            },
            try .composable("composable", summary: "Chats.", actions: ["say", "enter"]) { context in
                Store(
                    initialState: Chat.State(),
                    reducer: Chat(
                        post: context.topic("chat") { Chat.Action.heard($0) },
                        enter: context.presence(in: "chat") { (list: Members<String>) in Chat.Action.listed(list.count)
                        }))
            },
            try .observable(
                "observable", summary: "Listens.", outputs: [.value("heard", \.heard)],
                inputs: [
                    .call("say", Listener.say), .call("sayAll", Listener.sayAll), .call("listen", Listener.listen),
                ], transient: ["chat"]
            ) { context in Listener(context.topic("chat")) },
        ]
    }

    private func outputs(_ session: String, _ host: RestartableHost) -> String {
        host.send(.get, session + "/outputs").text
    }

    @Test func `machines of all styles communicate by one topic`() throws {
        let host = try host()
        let sessions = ["unio", "composable", "observable"].map { host.harness.makeSession(of: $0) }
        _ = host.send(.post, sessions[2] + "/inputs/listen")
        for (session, text) in zip(sessions, ["one", "two", "three"]) {
            #expect(host.send(.post, session + "/inputs/say", body: "\"\(text)\"").status == .ok)
        }
        for session in sessions { #expect(outputs(session, host).contains(#""heard":["one","two","three"]"#)) }
    }

    @Test func `a task receives what is sent while it is busy`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "observable")
        _ = host.send(.post, session + "/inputs/listen")
        _ = host.send(.post, session + "/inputs/sayAll", body: #"["1","2","3","4"]"#)
        #expect(outputs(session, host) == #"{"heard":["1","2","3","4"]}"#)
    }

    @Test func `a restored stream and a restored store receive values`() throws {
        let host = try host()
        let (stream, store) = (host.harness.makeSession(of: "unio"), host.harness.makeSession(of: "composable"))
        _ = host.send(.post, stream + "/inputs/say", body: "\"before\"")
        try host.restart()
        #expect(outputs(store, host).contains(#""heard":["before"]"#))
        _ = host.send(.post, stream + "/inputs/say", body: "\"after\"")
        #expect(outputs(store, host).contains(#""heard":["before","after"]"#))
        #expect(outputs(stream, host) == #"{"heard":["before","after"]}"#)
    }

    @Test func `a store is a member while it has a stream`() throws {
        let host = try host()
        let store = host.harness.makeSession(of: "composable")
        _ = host.send(.post, store + "/inputs/enter", body: "\"Ada\"")
        let page = host.harness.follow(store)
        host.harness.loop.advance(by: .milliseconds(100))
        host.harness.loop.run()
        #expect(outputs(store, host).contains(#""there":1"#))
        page.cut()
        host.harness.loop.advance(by: .milliseconds(100))
        host.harness.loop.run()
        #expect(outputs(store, host).contains(#""there":0"#))
    }

    @Test func `what a stream and a store have received is replayed`() throws {
        let host = try host()
        let machines = try TopicFormTests.machines()
        let sessions = machines.prefix(2).map { host.harness.makeSession(of: $0.name) }
        _ = host.send(.post, sessions[0] + "/inputs/say", body: "\"hello\"")
        _ = host.send(.post, sessions[1] + "/inputs/say", body: "\"hello yourself\"")
        for (session, machine) in zip(sessions, machines) {
            try assertReplays(host.recording(of: session), machine)
        }
    }
}

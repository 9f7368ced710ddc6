import CombineCore
import HTTPModel
import MachineTesting
import StateCapture

@testable import MachineHost

/// An exported session of a machine with members, an effect and a timer, and what an import stores of it.
struct ImportedFile {
    /// What an import has stored, without what differs each time.
    struct Outcome: Equatable {
        var session: StoredSession
        var id: StoredSessionID
        var version: UInt64
    }

    private final class Store {
        var count = 0
    }

    let machine: MachineDefinition
    /// The path of the session.
    let path: String
    let text: String
    private let check: RestorationCheck

    init() throws {
        machine = Self.machine(FakeService())
        let host = try StoredHost(of: machine) { $0.turnsPerSnapshot = 4 }
        path = host.makeSession()
        for step in 1...6 { _ = host.send(.post, path + "/inputs/add", body: "\(step)", key: "key-\(step)") }
        let journal = TestJournal(host.disk)
        text = try SessionArchive(DirectJournalAccess(journal)).export(
            String(path.dropFirst("/v1/sessions/".count)))
        check = try RestorationCheck(of: [machine], now: Self.now)
    }

    static let now = WallTime(seconds: 1_767_225_700)

    private static func machine(_ service: FakeService) -> MachineDefinition {
        var machine = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                "add": { machine, value in
                    guard let store = machine.attachment as? Store else { return }
                    store.count &+= Int(value) ?? 0
                    machine.set("count", to: "\(store.count)")
                }
            ],
            made: { machine in
                let store = Store()
                machine.attachment = store
                machine.set("count", to: "0")
                StateRegistry.current?.registerMembers(of: store, named: "store")
                let ask: (String) -> AnyPublisher<String, any Error> = machine.context.effect("search") {
                    (question: String) in service.ask(question)
                }
                let running = [
                    ask("swift").sink { _ in
                    } receiveValue: { _ in
                    },
                    machine.context.timer("tick", every: .seconds(3600)).sink {},
                ]
                machine.whenEnded = { withExtendedLifetime((store, running)) {} }
            })
        machine.captureObstacles = []
        machine.stateShape = StateShape(["store.0.count": "Int"])
        return machine
    }

    /// Imports a text as the command does, and returns what was stored.
    func outcome(of text: String) throws -> Outcome {
        let journal = MemoryJournal()
        return try outcome(of: text, in: journal)
    }

    func outcome(of text: String, in journal: MemoryJournal) throws -> Outcome {
        try check.check(importOf: text)
        let archive = SessionArchive(DirectJournalAccess(journal)) { Self.now }
        let found = try archive.load(try archive.importSession(text))
        var session = try StoredSession(found.entry)
        // Random in each import.
        session.epoch = Epoch(bits: 0)
        session.firstGeneration = 0
        return Outcome(session: session, id: found.summary.id, version: found.summary.version)
    }

    /// Returns the text with other members.
    ///
    /// - Parameter keepsDigest: Whether the digest stays. Otherwise, the text is like that of an older build.
    static func edited(
        _ text: String, keepsDigest: Bool = false, _ edit: (inout StateValue) throws -> Void
    ) throws -> String {
        var value = try StateValue(json: text.utf8)
        if !keepsDigest { value["digest"] = nil }
        try edit(&value)
        return String(decoding: value.json, as: UTF8.self)
    }

    /// Returns the text with another snapshot.
    func edited(snapshot edit: (inout StoredSession) -> Void) throws -> String {
        try Self.edited(text) { file in
            var session = try StoredSession((Base64URL.bytes(of: (file["snapshot"]?.text ?? "").utf8) ?? [])[...])
            edit(&session)
            file["snapshot"] = .string(Base64URL.text(of: session.content))
        }
    }
}

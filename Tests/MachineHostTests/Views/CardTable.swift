import Access
import HTTPModel
import MachineTesting

@testable import MachineHost

/// A machine with views, its access control, and the fields of its viewers.
struct CardTable {
    /// The time at which the virtual clock begins.
    static let beginning: Int64 = 1_767_225_600
    let access: TestAccess

    init() throws {
        access = try TestAccess {
            // `x-user: eve table 60` is a principal with a role, whose credential expires 60 seconds after the beginning.
            $0.host = HostAuthenticator(name: "test") { request in
                let words = request.fields.value("x-user")?.split(separator: " ").map(String.init) ?? []
                guard words.count >= 2 else { return .none }
                let expires = words.count == 3 ? Int64(words[2]) : nil
                return .principal(
                    id: words[0], claims: "{\"role\":\"\(words[1])\"}",
                    expires: expires.map { UnixTime(seconds: CardTable.beginning + $0) })
            }
        }
    }

    /// The machine: `open` is for everyone, `hand` for the owner; guests see what the label of their ticket says.
    static var machine: MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["open", "hand"], events: ["shout", "whisper"],
            inputs: [
                "open": { $0.set("open", to: $1) },
                "hand": { $0.set("hand", to: $1) },
                "both": { machine, value in
                    machine.set("open", to: value)
                    machine.set("hand", to: value)
                },
                "shout": { $0.emit("shout", $1) },
                "talk": { machine, value in
                    machine.emit("whisper", value)
                    machine.emit("shout", value)
                },
                "whisper": { $0.emit("whisper", $1) },
                "refuse": { machine, _ in machine.context.refuse("the game is over") },
            ],
            made: { machine in
                ScriptedState.capture(machine)
                machine.set("open", to: "0")
                machine.set("hand", to: "0")
            }
        )
        .views(["dealer": .all, "table": ["open", "shout"], "wall": []]) { viewer in
            viewer.label ?? viewer.principal?.claim("role") ?? "dealer"
        }
    }

    func harness(configure: (inout HostConfiguration) -> Void = { _ in }) throws -> HostHarness {
        try access.harness(CardTable.machine, configure: configure)
    }

    /// Returns the fields of a principal with claims.
    static func user(_ text: String) -> HTTPFields {
        var fields: HTTPFields = [.secFetchSite: "none"]
        if let value = HTTPFieldValue(text) { fields.append("x-user", value) }
        return fields
    }

    /// Returns the fields of a guest whose ticket has a label.
    func guest(_ label: String, of session: String, _ harness: HostHarness) -> HTTPFields {
        let terms = #"{"allows":["read","write"],"label":"\#(label)"}"#
        return TestAccess.fields("Ticket \(harness.ticket(session, terms, as: access.ada))")
    }

    /// Follows the stream of a session.
    func follow(
        _ session: String, _ harness: HostHarness, as fields: HTTPFields, query: String = "", after id: String = ""
    ) -> StreamFollower? {
        var fields = fields
        fields.append(.accept, "text/event-stream")
        if let id = HTTPFieldValue(id), !id.string.isEmpty { fields.append(.lastEventID, id) }
        let follower = harness.send(.get, session + "/outputs" + query, fields: fields).stream.map {
            StreamFollower($0)
        }
        follower?.read()
        return follower
    }
}

import Access
import HTTPModel
import Locking
import MachineTesting

@testable import MachineHost

/// The access control of a test: API keys of Ada and Bob, tickets, and, if requested, cookies and a closure.
struct TestAccess {
    private static let hasher = PrincipalHasher(key: SecretBytes(copying: Array(repeating: 7, count: 32)))

    /// The fields with which Ada's and Bob's requests are sent.
    let ada: HTTPFields
    let bob: HTTPFields
    var access: HostAccess

    init(_ configure: (inout AccessConfiguration) -> Void = { _ in }) throws {
        let (first, text) = try APIKeyFile("").adding("ada")
        let (second, both) = try APIKeyFile(text).adding("bob")
        ada = TestAccess.fields("ApiKey \(first)")
        bob = TestAccess.fields("ApiKey \(second)")
        var configuration = AccessConfiguration(hasher: TestAccess.hasher)
        configuration.apiKeys = APIKeys(try APIKeyFile(both), hasher: TestAccess.hasher)
        configuration.tickets = TicketAuthority(keys: .random())
        configure(&configuration)
        access = HostAccess()
        access.authentication = configuration
    }

    /// Returns the fields of a request with a credential.
    static func fields(_ authorization: String) -> HTTPFields {
        HTTPFieldValue(authorization).map { [.authorization: $0] } ?? [:]
    }

    /// The hash of the principal with one of the API keys.
    static func hash(ofKey name: String) -> PrincipalHash {
        hasher.hash(of: Principal(method: .apiKey, id: name))
    }

    /// Returns a harness whose machine shows its creator and the sender of its inputs.
    func harness(
        _ definition: MachineDefinition = .witness, configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        return try HostHarness([definition], configuration: configuration, access: access)
    }
}

extension MachineDefinition {
    /// A machine whose outputs are its creator and the senders of its inputs.
    static var witness: MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["creator", "senders"],
            inputs: [
                "speak": { machine, _ in
                    let before = machine.value(of: "senders") ?? "\"\""
                    machine.set("senders", to: "\(before.dropLast())\(name(of: machine.context.sender));\"")
                },
                "secret": { _, _ in },
                "later": { machine, _ in
                    machine.context.scheduler.schedule {
                        machine.set("senders", to: "\"\(name(of: machine.context.sender))\"")
                    }
                },
            ],
            made: { machine in
                ScriptedState.capture(machine)
                machine.set("creator", to: "\"\(machine.context.principal?.id ?? "nobody")\"")
                machine.set("senders", to: "\"\"")
            })
    }

    private static func name(of sender: InputSender?) -> String {
        switch sender {
        case nil: "nobody"
        case .principal(let principal): principal.id
        case .ticket(let label): "ticket \(label)"
        }
    }
}

extension HostHarness {
    /// Creates a session with credentials and returns its path.
    func makeSession(as fields: HTTPFields, key: String? = nil) -> String {
        create(as: fields, key: key).fields.value(.location) ?? ""
    }

    func create(as fields: HTTPFields, key: String? = nil) -> HarnessAnswer {
        var fields = fields
        if let key, let value = HTTPFieldValue(key) { fields.append(.idempotencyKey, value) }
        return send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields)
    }

    /// Returns the text of a ticket that the owner of a session issues.
    func ticket(_ session: String, _ terms: String, as owner: HTTPFields) -> String {
        let text = send(.post, session + "/tickets", body: terms, fields: owner).text
        return text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
    }
}

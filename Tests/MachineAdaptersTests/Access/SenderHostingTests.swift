import Access
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Who has created the session, who has sent an input, and what each viewer sees, in machines of each style.
struct SenderHostingTests {
    private let ada: HTTPFields
    private let access: HostAccess

    init() throws {
        let (key, text) = try APIKeyFile("").adding("ada")
        let hasher = PrincipalHasher(key: SecretBytes(copying: Array(repeating: 7, count: 32)))
        var configuration = AccessConfiguration(hasher: hasher)
        configuration.apiKeys = APIKeys(try APIKeyFile(text), hasher: hasher)
        configuration.tickets = TicketAuthority(keys: .random())
        ada = SenderHostingTests.fields("ApiKey \(key)")
        var access = HostAccess()
        access.authentication = configuration
        self.access = access
    }

    private static func fields(_ authorization: String) -> HTTPFields {
        HTTPFieldValue(authorization).map { [.authorization: $0] } ?? [:]
    }

    private func create(_ machine: WitnessMachine, _ host: RestartableHost, as fields: HTTPFields) throws -> String {
        let body = #"{"machine":"\#(machine.rawValue)","parameters":{"prefix":"t:"}}"#
        let answer = host.send(.post, "/v1/sessions", body: body, fields: fields)
        return try #require(answer.fields.value(.location), "\(answer.text)")
    }

    private func guest(of session: String, _ host: RestartableHost) -> HTTPFields {
        let terms = #"{"allows":["read","write"],"label":"Bob"}"#
        let text = host.send(.post, session + "/tickets", body: terms, fields: ada).text
        return SenderHostingTests.fields("Ticket \(text.split(separator: "\"").dropFirst(3).first ?? "")")
    }

    @Test(arguments: WitnessMachine.allCases)
    func `a machine knows its creator, its parameters and each sender, also after a restart`(
        machine: WitnessMachine
    ) throws {
        let host = try RestartableHost([try machine.definition()], access: access)
        let session = try create(machine, host, as: ada)
        let guest = guest(of: session, host)
        func speak() {
            #expect(host.send(.post, session + "/inputs/speak", fields: ada).status == .ok)
            let batch = #"[{"input":"speak"},{"input":"speak"}]"#
            #expect(host.send(.post, session + "/inputs", body: batch, fields: guest).status == .ok)
        }
        speak()
        #expect(
            host.send(.get, session + "/outputs", fields: ada).text
                == #"{"senders":["t:ada/ada","t:ada/ticket Bob","t:ada/ticket Bob"],"count":3}"#)
        try host.restart()
        speak()
        let text = host.send(.get, session + "/outputs", fields: ada).text
        #expect(text.contains(#"","t:ada/ada","t:ada/ticket Bob","t:ada/ticket Bob"],"count":6"#), "\(text)")
    }

    @Test(arguments: WitnessMachine.allCases)
    func `a replay has the creator, the parameters and the senders`(machine: WitnessMachine) throws {
        let definition = try machine.definition()
        let host = try RestartableHost([definition], access: access)
        let session = try create(machine, host, as: ada)
        let guest = guest(of: session, host)
        for fields in [ada, guest, guest, ada] {
            #expect(host.send(.post, session + "/inputs/speak", fields: fields).status == .ok)
        }
        #expect(host.send(.post, session + "/inputs/refuse", fields: guest).status == .conflict)
        try assertReplays(host.recording(of: session), definition)
    }

    @Test(arguments: WitnessMachine.allCases)
    func `a timer that an input has started has no sender, and neither have anonymous clients`(
        machine: WitnessMachine
    ) throws {
        let host = try RestartableHost([try machine.definition()], access: access)
        let session = try create(machine, host, as: [:])
        #expect(host.send(.post, session + "/inputs/speak").status == .ok)
        #expect(host.send(.post, session + "/inputs/later", fields: ada).status == .ok)
        host.harness.loop.advance(by: .seconds(1))
        #expect(host.send(.post, session + "/inputs/speak", fields: ada).status == .ok)
        let text = host.send(.get, session + "/outputs").text
        #expect(text == #"{"senders":["t:nobody/nobody","t:nobody/nobody","t:nobody/ada"],"count":3}"#)
    }

    @Test(arguments: WitnessMachine.allCases)
    func `a machine of each style refuses an input and has views`(machine: WitnessMachine) throws {
        let host = try RestartableHost([try machine.definition()], access: access)
        let session = try create(machine, host, as: ada)
        let guest = guest(of: session, host)
        let answer = host.send(.post, session + "/inputs/refuse", fields: guest)
        #expect(answer.status == .conflict)
        #expect(answer.text.contains(#""type":"/problems/input-refused""#))
        #expect(answer.text.contains("t:ada/ticket Bob may not"))
        #expect(
            host.send(.post, session + "/inputs/speak", fields: guest).text == #"{"version":1,"changes":{"count":1}}"#)
        #expect(host.send(.get, session + "/outputs", fields: guest).text == #"{"count":1}"#)
        #expect(host.send(.get, session + "/outputs?only=senders", fields: guest).status == .notFound)
        #expect(host.send(.get, session + "/outputs", fields: ada).text.contains("senders"))
    }
}

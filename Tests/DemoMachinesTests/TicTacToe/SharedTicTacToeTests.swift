import Access
import CombineCore
import DemoMachines
import HTTPModel
import MachineHost
import MachineTesting
import Ricemill
import Testing

/// A game in two browsers: the owner of the session is player X, and the holder of a ticket is player O.
struct SharedTicTacToeTests {
    private static let hasher = PrincipalHasher(key: SecretBytes(copying: Array(repeating: 7, count: 32)))

    private let host: RestartableHost
    private let session: String
    private let owner: HTTPFields
    private let guest: HTTPFields

    init() throws {
        let (key, text) = try APIKeyFile("").adding("ada")
        var configuration = AccessConfiguration(hasher: SharedTicTacToeTests.hasher)
        configuration.apiKeys = APIKeys(try APIKeyFile(text), hasher: SharedTicTacToeTests.hasher)
        configuration.tickets = TicketAuthority(keys: .random())
        var access = HostAccess()
        access.authentication = configuration
        host = try RestartableHost([.ticTacToe()], access: access)
        owner = SharedTicTacToeTests.fields("ApiKey \(key)")
        let body = #"{"machine":"tic-tac-toe"}"#
        session = try #require(
            host.send(.post, "/v1/sessions", body: body, fields: owner).fields.value(.location))
        let terms = #"{"allows":["read","write"],"label":"O"}"#
        let ticket = host.send(.post, session + "/tickets", body: terms, fields: owner).text
        guest = SharedTicTacToeTests.fields("Ticket \(ticket.split(separator: "\"").dropFirst(3).first ?? "")")
    }

    private static func fields(_ authorization: String) -> HTTPFields {
        HTTPFieldValue(authorization).map { [.authorization: $0] } ?? [:]
    }

    private func play(_ field: Int, as fields: HTTPFields) -> HarnessAnswer {
        host.send(.post, session + "/inputs/handleAddress", body: "{\"id\":\(field)}", fields: fields)
    }

    private func outputs() -> String { host.send(.get, session + "/outputs", fields: owner).text }

    @Test func `one browser plays both players until a guest joins`() {
        #expect(play(0, as: owner).status == .ok)
        #expect(play(1, as: owner).status == .ok)
        #expect(outputs().contains(#""isShared":false"#))
        #expect(
            host.send(.post, session + "/inputs/join", fields: guest).text
                == #"{"version":3,"changes":{"isShared":true}}"#)
        let answer = play(2, as: owner)
        #expect(answer.status == .conflict)
        #expect(answer.text.contains(#""type":"/problems/input-refused""#))
        #expect(answer.text.contains("it is the turn of player O, and you are player X"))
        #expect(play(2, as: guest).status == .ok)
        #expect(outputs().contains(#""currentPlayer":"x""#))
    }

    @Test func `only the player whose turn it is moves, also after a restart and in a replay`() throws {
        #expect(play(0, as: guest).status == .ok)
        #expect(outputs().contains(#""isShared":true"#))
        let early = play(1, as: guest)
        #expect(early.status == .conflict)
        #expect(early.text.contains("it is the turn of player X, and you are player O"))
        #expect(play(3, as: owner).status == .ok)
        #expect(play(4, as: owner).status == .conflict)
        try host.restart()
        #expect(play(4, as: owner).status == .conflict)
        #expect(play(1, as: guest).status == .ok)
        #expect(play(4, as: owner).status == .ok)
        #expect(play(2, as: guest).status == .ok)
        #expect(outputs().contains(#""winner":"o""#))
        // A move after the end has no effect, whoever makes it.
        #expect(play(8, as: guest).status == .ok)
        #expect(host.send(.post, session + "/inputs/startNewGame", fields: guest).status == .ok)
        #expect(outputs().contains(#""isShared":true"#))
        #expect(play(0, as: owner).status == .conflict)
        try assertReplays(host.recording(of: session), .ticTacToe())
    }

    @Test func `a refused first move of a guest does not join`() {
        #expect(play(0, as: owner).status == .ok)
        #expect(play(1, as: guest).status == .conflict)
        #expect(outputs().contains(#""isShared":false"#))
        #expect(play(1, as: owner).status == .ok)
    }

    @Test func `nobody but a guest joins`() {
        let answer = host.send(.post, session + "/inputs/join", fields: owner)
        #expect(answer.status == .conflict)
        #expect(answer.text.contains("only the holder of a ticket joins"))
        #expect(outputs().contains(#""isShared":false"#))
    }
}

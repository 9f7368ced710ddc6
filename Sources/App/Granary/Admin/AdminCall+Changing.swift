import HTTPModel
import MachineHost
import StateCapture

// Operations on a session.
extension AdminCall {
    func change() throws -> HTTPResponse {
        let session = try session()
        let (id, machine) = (session.id, session.summary.machine)
        switch request.operation {
        case .endSession:
            audit("end", id, machine: machine)
            try operations.end(id)
            return done
        case .hibernateSession:
            audit("hibernate", id, machine: machine)
            try operations.hibernate(id)
            return done
        case .releaseSession:
            audit("release from quarantine", id, machine: machine)
            try operations.release(id)
            return done
        case .forkSession: return try fork(session)
        case .sendInput: return try send(to: session)
        default: return try replay(session)
        }
    }

    private func fork(_ session: OperatedSession) throws -> HTTPResponse {
        var version: UInt64?
        if let member = try request.members()["version"], member != .null {
            guard let number = member.integer, number >= 0 else {
                throw ProblemDetails.unexpected(
                    "Expected a version, which is a whole number, as the member \"version\".")
            }
            version = UInt64(number)
        }
        audit("fork", session.id, machine: session.summary.machine)
        let fork = try operations.fork(session.id, at: version)
        let location = HTTPFieldValue("\(AdminOperation.root)/sessions/\(fork.text)")
        return json(["id": .string(fork.text)], location.map { [.location: $0] } ?? HTTPFields())
    }

    private func send(to session: OperatedSession) throws -> HTTPResponse {
        let input = request.path("input")
        audit("input \(input)", session.id, machine: session.summary.machine)
        let value = request.body.isEmpty ? Array("null".utf8) : request.body
        let (version, changed) = try operations.run(input: input, value, in: session.id)
        return json(["version": StateValue(version), "changed": .array(changed.map { .string($0) })])
    }

    private func replay(_ session: OperatedSession) throws -> HTTPResponse {
        guard let replay = interface.surroundings.replay else {
            throw ProblemDetails.operationRefused(
                "An embedded server cannot start a process that replays the session. Export it, and use granary replay."
            )
        }
        guard session.durability != nil else {
            throw ProblemDetails.operationRefused("This build does not host the machine of the session.")
        }
        let isRevealed = try reveals("replay", of: session)
        let outcome = try replay.run(try operations.export(session.id))
        var json: StateValue = [
            "turns": StateValue(outcome.turns), "isWhole": .boolean(outcome.beginsWithCreation),
            "divergence": .null,
        ]
        guard let divergence = outcome.divergence else { return self.json(json) }
        json["divergence"] = ["turn": StateValue(divergence.turn)]
        // The sentence contains values of any part.
        if isRevealed, !operations.concealsValues(ofMachine: session.summary.machine) {
            json["divergence"] = ["turn": StateValue(divergence.turn), "difference": .string(divergence.difference)]
        }
        return self.json(json)
    }
}

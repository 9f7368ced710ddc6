/// A session as its clients have observed it.
struct CheckedSession {
    /// The expectation for the mark of an input.
    enum Mark {
        /// The input was sent: the mark may appear, once.
        case sent
        /// The mark must be in all outputs from a version on.
        case acknowledged(UInt64)
        /// The mark must not appear.
        case refused
    }

    enum End {
        /// The session must last.
        case unexpected
        case allowed
        /// A client knows that the session has ended.
        case seen
    }

    struct Response: Equatable {
        let version: UInt64
        let change: String?
    }

    var epoch: String?
    /// Whether a new epoch must replace the known one, because what a client has seen may have been lost.
    var awaitsNewEpoch = false
    /// The greatest version that a client has seen.
    var newest: UInt64 = 0
    var changes: [UInt64: String] = [:]
    var outputs: [UInt64: [String: String]] = [:]
    var responses: [String: Response] = [:]
    var marks: [String: Mark] = [:]
    var end = End.unexpected

    /// Forgets the versions, because they start anew. Inputs that were acknowledged before may be lost.
    mutating func beginAnew() {
        newest = 0
        changes = [:]
        outputs = [:]
        responses = [:]
        for (mark, state) in marks {
            if case .acknowledged = state { marks[mark] = .sent }
        }
    }

    /// Takes into account that anything may have been lost since any moment, also the session or its end.
    mutating func lose() {
        beginAnew()
        awaitsNewEpoch = epoch != nil
        if end != .allowed { end = .allowed }
    }

    /// Returns what is wrong with the marks that a version shows.
    func problems(with shown: [String], at version: UInt64) -> [(kind: SessionViolation.Kind, detail: String)] {
        var problems: [(kind: SessionViolation.Kind, detail: String)] = []
        var seen: Set<String> = []
        for mark in shown {
            if !seen.insert(mark).inserted { problems.append((.repeatedInput, "expected \(mark) once, got it twice")) }
            switch marks[mark] {
            case .sent, .acknowledged: break
            case .refused: problems.append((.inventedInput, "expected no \(mark), because its input was refused"))
            case nil: problems.append((.inventedInput, "expected no \(mark), because no input with it was sent"))
            }
        }
        for (mark, state) in marks {
            guard case .acknowledged(let since) = state, since <= version, !seen.contains(mark) else { continue }
            problems.append(
                (.lostInput, "expected \(mark) since version \(since), but version \(version) is without it"))
        }
        return problems
    }
}

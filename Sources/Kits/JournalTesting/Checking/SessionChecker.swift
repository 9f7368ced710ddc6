/// Judges what clients saw of sessions while their server crashed and continued.
///
/// Clients report each request that they send and each response and event that they receive, in the order in which these
/// happen. The checker needs nothing else, so it judges a simulation and a real server in the same way:
/// - The effect of an acknowledged input stays, and appears once.
/// - Each key has one response.
/// - Versions increase by one, and never decrease.
/// - Each version has one content, in responses, streams and reads.
/// - What was shown survives the server: a change that the journal lacks is missed in the next process.
/// - Sessions that have ended stay ended, and others stay.
/// - A name leads to one session until that has ended.
///
/// An input is recognized by its *marks*: texts that it adds to an output of its session, different for each input.
public struct SessionChecker {
    /// The broken promises, in the order in which they were noticed.
    public private(set) var violations: [SessionViolation] = []
    /// Whether sessions may start their versions anew, because the journal does not survive what has happened.
    public var allowsNewEpochs = false
    private var sessions: [String: CheckedSession] = [:]
    private var creations: [String: String] = [:]
    private var names: [String: String] = [:]

    /// Creates a checker that has seen nothing.
    public init() {}

    /// The number of acknowledged inputs.
    public private(set) var acknowledgedInputs = 0

    /// Records the response to the creation of a session.
    ///
    /// - Parameters:
    ///   - session: A name of the session.
    ///   - key: The idempotency key of the request; nil if it had none.
    public mutating func created(_ session: String, key: String? = nil) {
        if sessions[session] == nil { sessions[session] = CheckedSession() }
        guard let key else { return }
        let first = creations[key, default: session]
        creations[key] = first
        if first != session {
            report(.repeatedInput, session, "expected the key \(key) to create one session, it also created \(first)")
        }
    }

    /// Records the response to a request that finds or creates a session by its name.
    ///
    /// - Parameters:
    ///   - session: The session of the response.
    ///   - name: The name, with whatever makes it unique: its owner and its machine.
    public mutating func found(_ session: String, named name: String) {
        created(session)
        let known = names[name, default: session]
        guard known != session else { return names[name] = session }
        // A response may arrive after that of a later request, which has found the session that came next.
        guard sessions[session]?.end == .unexpected else { return }
        if sessions[known]?.end == .unexpected {
            report(.lostName, session, "expected the name \(name) to lead to \(known)")
        }
        names[name] = session
    }

    /// Records that an input is sent. From now on its marks may appear.
    public mutating func sent(_ marks: [String], to session: String) {
        for mark in marks where sessions[session]?.marks[mark] == nil {
            sessions[session, default: CheckedSession()].marks[mark] = .sent
        }
    }

    /// Records the acknowledgement of an input.
    ///
    /// - Parameters:
    ///   - marks: The marks that the input has left.
    ///   - session: The session.
    ///   - key: The idempotency key of the request; nil if it had none.
    ///   - version: The version of the response.
    ///   - change: The changes of the response as text; nil if it has none.
    public mutating func acknowledged(
        _ marks: [String], in session: String, key: String? = nil, version: UInt64, change: String?
    ) {
        acknowledgedInputs += 1
        requireLive(session)
        var known = sessions[session] ?? CheckedSession()
        for mark in marks { known.marks[mark] = .acknowledged(version) }
        if let key {
            let response = CheckedSession.Response(version: version, change: change)
            let first = known.responses[key, default: response]
            known.responses[key] = first
            if first != response {
                report(
                    .repeatedInput, session,
                    "expected the key \(key) to be answered with version \(first.version) again, got \(version)")
            }
        }
        known.newest = max(known.newest, version)
        sessions[session] = known
        if let change { compareChange(change, of: version, in: session) }
    }

    /// Records that an input was refused: its marks must never appear.
    public mutating func refused(_ marks: [String], in session: String) {
        requireLive(session)
        for mark in marks { sessions[session, default: CheckedSession()].marks[mark] = .refused }
    }

    /// Returns the version that a request that is sent now must show, or a later one.
    public func floor(of session: String) -> UInt64 { sessions[session]?.newest ?? 0 }

    /// Records a change that a stream has shown.
    ///
    /// - Parameters:
    ///   - change: The data of the event.
    ///   - version: Its version.
    ///   - epoch: Its epoch.
    ///   - session: The session.
    public mutating func sawChange(_ change: String, of version: UInt64, epoch: String, in session: String) {
        // Not only while the session lives: a stream shows the last changes after another client has learned of the end.
        noteEpoch(epoch, of: session)
        compareChange(change, of: version, in: session)
        let newest = max(floor(of: session), version)
        sessions[session]?.newest = newest
    }

    /// Records all outputs of a session, as a snapshot, a read or the changes until then have shown them.
    ///
    /// - Parameters:
    ///   - outputs: The JSON of each output.
    ///   - marks: The marks in the outputs, in order.
    ///   - version: The version.
    ///   - epoch: The epoch; nil if the response has none.
    ///   - floor: The version that the response had to show at least: the ``floor(of:)`` when it was requested.
    ///   - session: The session.
    public mutating func sawOutputs(
        _ outputs: [String: String], marks: [String], of version: UInt64, epoch: String? = nil, since floor: UInt64 = 0,
        in session: String
    ) {
        if let epoch { noteEpoch(epoch, of: session) } else { requireLive(session) }
        var known = sessions[session] ?? CheckedSession()
        if version < min(floor, known.newest) {
            report(.lostVersion, session, "expected version \(floor) or a later one, got \(version)")
        }
        known.newest = max(known.newest, version)
        if let other = known.outputs[version], other != outputs {
            report(.twoContents, session, "expected the outputs of version \(version) to be \(other), got \(outputs)")
        }
        known.outputs[version] = outputs
        for (kind, detail) in known.problems(with: marks, at: version) { report(kind, session, detail) }
        sessions[session] = known
    }

    /// Records that a stream left out a version, or had another fault of its own.
    public mutating func sawFault(_ detail: String, in session: String) {
        report(.unevenVersions, session, detail)
    }

    /// Records that the system has lost power, for sessions that do not survive it completely: they continue from any moment before, or
    /// not at all. Each must announce that by a new epoch, once.
    public mutating func lostPower() {
        for session in sessions.keys { sessions[session]?.lose() }
        creations = [:]
        names = [:]
    }

    /// Records that a session may end from now on: its deletion was requested, or nobody has used it for long.
    public mutating func mayEnd(_ session: String) {
        if sessions[session]?.end == .unexpected { sessions[session]?.end = .allowed }
    }

    /// Records that a session was used, so that it does not expire soon.
    public mutating func mustLast(_ session: String) {
        if sessions[session]?.end == .allowed { sessions[session]?.end = .unexpected }
    }

    /// Records that a client learned of the end of a session, or that the session was not found.
    public mutating func sawEnd(of session: String, _ detail: String = "the end") {
        if sessions[session, default: CheckedSession()].end == .unexpected {
            report(.lostSession, session, "expected the session to last, got \(detail)")
        }
        sessions[session]?.end = .seen
    }
}

extension SessionChecker {
    private mutating func report(_ kind: SessionViolation.Kind, _ session: String, _ detail: String) {
        violations.append(SessionViolation(kind: kind, session: session, detail: detail))
    }

    private mutating func requireLive(_ session: String) {
        guard sessions[session]?.end == .seen else { return }
        report(.revivedSession, session, "expected nothing after the end")
    }

    private mutating func noteEpoch(_ epoch: String, of session: String) {
        guard var known = sessions[session] else { return }
        guard known.epoch != epoch else {
            if known.awaitsNewEpoch {
                report(.oldEpoch, session, "expected another epoch than \(epoch) after the loss of power")
            }
            return
        }
        // What was seen since the loss belongs to the new epoch.
        if let before = known.epoch, !known.awaitsNewEpoch {
            if !allowsNewEpochs { report(.newEpoch, session, "expected the epoch \(before), got \(epoch)") }
            known.beginAnew()
        }
        known.awaitsNewEpoch = false
        known.epoch = epoch
        sessions[session] = known
    }

    private mutating func compareChange(_ change: String, of version: UInt64, in session: String) {
        let first = sessions[session]?.changes[version] ?? change
        sessions[session]?.changes[version] = first
        if first != change {
            report(.twoContents, session, "expected the change of version \(version) to be \(first), got \(change)")
        }
    }
}

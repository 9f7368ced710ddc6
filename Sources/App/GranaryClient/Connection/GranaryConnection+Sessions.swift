import Foundation
import HTTPModel
import JSONText

extension GranaryConnection {
    /// Creates a session of a machine that takes no parameters, or finds the user's session with a name.
    ///
    /// - Parameters:
    ///   - schema: The types of the machine.
    ///   - name: The name of the session, with which the user finds it again on any device. It needs a credential. Without a
    ///     name, each call creates a session.
    ///   - endPolicy: What happens when the session expires or is lost.
    /// - Returns: A machine with the current outputs. For a session that the connection follows already, the same object.
    /// - Throws: A ``GranaryError``.
    public func machine<Schema: MachineSchema>(
        _ schema: Schema.Type = Schema.self, named name: String? = nil,
        whenSessionEnds endPolicy: SessionEndPolicy = .stop
    ) async throws -> RemoteMachine<Schema> where Schema.Parameters == NoParameters {
        try await make(schema, creation: creation(of: schema, nil, name), endPolicy)
    }

    /// Creates a session of a machine with parameters, or finds the user's session with a name.
    ///
    /// - Parameters:
    ///   - schema: The types of the machine.
    ///   - parameters: What the machine needs to know. They must be the same for every use of a name.
    ///   - name: The name of the session, with which the user finds it again on any device. It needs a credential. Without a
    ///     name, each call creates a session.
    ///   - endPolicy: What happens when the session expires or is lost.
    /// - Returns: A machine with the current outputs. For a session that the connection follows already, the same object.
    /// - Throws: A ``GranaryError``.
    public func machine<Schema: MachineSchema>(
        _ schema: Schema.Type = Schema.self, parameters: Schema.Parameters, named name: String? = nil,
        whenSessionEnds endPolicy: SessionEndPolicy = .stop
    ) async throws -> RemoteMachine<Schema> {
        try await make(schema, creation: creation(of: schema, parameters, name), endPolicy)
    }

    /// Follows a session whose id is known, for example because its owner has shared it with a ticket.
    ///
    /// - Throws: A ``GranaryError``.
    public func machine<Schema: MachineSchema>(
        _ schema: Schema.Type = Schema.self, id: String
    ) async throws -> RemoteMachine<Schema> {
        let session: SessionDescription = try await withCheckedThrowingContinuation { continuation in
            perform(request("GET", "/v1/sessions/\(id.percentEncoded)"), .always) { result in
                continuation.resume(with: result.flatMap(SessionDescription.read))
            }
        }
        return try follow(schema, session, nil)
    }

    private func make<Schema: MachineSchema>(
        _ schema: Schema.Type, creation: [UInt8], _ endPolicy: SessionEndPolicy
    ) async throws -> RemoteMachine<Schema> {
        let session = try await withCheckedThrowingContinuation { continuation in
            create(creation) { continuation.resume(with: $0) }
        }
        return try follow(schema, session, endPolicy == .beginAnew ? creation : nil)
    }

    /// Creates or finds a session.
    func create(_ body: [UInt8], _ done: @escaping (Result<SessionDescription, GranaryError>) -> Void) {
        var request = request("POST", "/v1/sessions", body: body)
        request.fields["idempotency-key"] = "\"\(randomKey())\""
        perform(request, .withKey(retention: configuration.keyRetention)) { result in
            done(result.flatMap(SessionDescription.read))
        }
    }

    /// Returns the machine of a session, which is followed from now on.
    func follow<Schema: MachineSchema>(
        _ schema: Schema.Type, _ session: SessionDescription, _ creation: [UInt8]?
    ) throws(GranaryError) -> RemoteMachine<Schema> {
        if let known = try machine(schema, following: session.id) { return known }
        let machine = try RemoteMachine<Schema>(session, of: self, creation: creation)
        try follow(session.id, machine)
        return machine
    }

    /// Returns a machine that follows a session, if any. All machines of a session have the same types.
    func machine<Schema: MachineSchema>(
        _ schema: Schema.Type, following session: String
    ) throws(GranaryError) -> RemoteMachine<Schema>? {
        guard let known = followers[session]?.lazy.compactMap(\.machine).first else { return nil }
        guard let machine = known as? RemoteMachine<Schema> else {
            throw .incompatible("the session is followed as a \(type(of: known))")
        }
        return machine
    }

    /// Follows a session from now on, beside the machines that follow it already.
    func follow(_ session: String, _ machine: any SessionFollower) throws(GranaryError) {
        guard !isClosed else { throw .closed }
        removeReleased()
        guard followers[session] != nil || followers.count < StreamMachine.maxSessions else {
            throw .tooManySessions(limit: StreamMachine.maxSessions)
        }
        followers[session, default: []].append(Follower(machine))
        let wasStopped = if case .stopped = stream.state { true } else { false }
        apply(stream.add(session))
        if wasStopped { reconnect() }
    }

    /// A machine no longer follows a session.
    func leave(_ session: String, _ machine: any SessionFollower) {
        followers[session]?.removeAll { $0.machine === machine }
        removeReleased()
    }

    /// No longer follows the sessions whose machines were released.
    func removeReleased() {
        for session in followers.keys where followers[session]?.allSatisfy({ $0.machine == nil }) == true {
            followers[session] = nil
            apply(stream.remove(session))
        }
    }

    /// No longer requests a session whose outputs do not fit the types. Its further events in the queue belong to outputs that are unknown.
    func suspend(_ session: String, _ reason: SessionEnd) {
        actions.removeAll { action in
            guard case .deliver(let event) = action, event.session == session else { return false }
            return event.kind == .change || event.kind == .snapshot
        }
        apply(stream.suspend(session, reason))
    }

    /// Returns a request.
    ///
    /// - Parameters:
    ///   - path: The path below that of the server, percent-encoded.
    ///   - query: The query, percent-encoded.
    ///   - body: The content, as JSON.
    func request(_ method: String, _ path: String, query: String? = nil, body: [UInt8]? = nil) -> ClientRequest {
        var components = URLComponents(url: server, resolvingAgainstBaseURL: true) ?? URLComponents()
        var base = components.percentEncodedPath
        while base.hasSuffix("/") { base.removeLast() }
        components.percentEncodedPath = base + path
        components.percentEncodedQuery = query
        components.fragment = nil
        var fields = ["accept": "application/json"]
        if body != nil { fields["content-type"] = "application/json" }
        return ClientRequest(method: method, url: components.url ?? server, fields: fields, body: body)
    }

    private func creation<Schema: MachineSchema>(
        of schema: Schema.Type, _ parameters: Schema.Parameters?, _ name: String?
    ) throws(GranaryError) -> [UInt8] {
        var body = Array("{\"machine\":".utf8)
        JSONWriter.append(schema.machineName, to: &body)
        if let parameters {
            body += Array(",\"parameters\":".utf8)
            do {
                try JSONStream.append(parameters, to: &body)
            } catch {
                throw .invalidValue("the parameters of \(schema.machineName) cannot be written as JSON: \(error)")
            }
        }
        if let name {
            body += Array(",\"name\":".utf8)
            JSONWriter.append(name, to: &body)
        }
        return body + [UInt8(ascii: "}")]
    }
}

/// The reaction of a client when its session has expired, or the server no longer knows it.
public enum SessionEndPolicy: Sendable {
    /// The status becomes ``SessionStatus/ended(_:)``.
    case stop
    /// The client creates a session with the same parameters and name, and reports it as a change of the kind
    /// ``MachineChange/Kind/newSession(after:)``. Inputs that wait to be sent fail: they were meant for the earlier session.
    case beginAnew
}

extension String {
    /// The text for a path or a query.
    var percentEncoded: String { PercentEncoding.encode(self) }
}

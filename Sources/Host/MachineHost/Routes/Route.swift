import HTTPModel

/// The resource that a request targets, parsed from the bytes of its path. Only names are allocated, and they are
/// short.
enum Route: Equatable {
    case machines
    case machine(String)
    case sessions
    case session(SessionID)
    case inputs(SessionID)
    case input(SessionID, String)
    case outputs(SessionID)
    case tickets(SessionID)
    /// The outputs in the form of the Durable Streams protocol.
    case stream(SessionID)
    case combinedOutputs
    /// A document that describes the host.
    case description(DescriptionForm)
    /// A document that describes a machine.
    case machineDescription(String, DescriptionForm)
    case live
    case ready
    /// A path under `/v1/sessions/` with an invalid session id.
    case noSession
    case unknown

    /// Parses the path of a request target; the query is ignored.
    init(target: String) {
        var target = target
        self = target.withUTF8 { bytes in
            let path = UnsafeBufferPointer(rebasing: bytes[..<(bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count)])
            if let rest = Route.rest(of: path, behind: "/v1/sessions") { return Route(sessions: rest) }
            if let rest = Route.rest(of: path, behind: "/v1/machines") { return Route(machines: rest) }
            if Route.rest(of: path, behind: "/v1/outputs")?.isEmpty == true { return .combinedOutputs }
            if Route.rest(of: path, behind: "/health/live")?.isEmpty == true { return .live }
            if Route.rest(of: path, behind: "/health/ready")?.isEmpty == true { return .ready }
            let form = DescriptionForm.allCases.first { Route.rest(of: path, behind: $0.path)?.isEmpty == true }
            return form.map(Route.description) ?? .unknown
        }
    }

    /// Whether the response depends on the sessions that are stored.
    var needsSessions: Bool { self == .sessions || session != nil }

    /// Whether the path is about the health of the server.
    var isHealth: Bool {
        switch self {
        case .live, .ready: true
        default: false
        }
    }

    /// The session that the path names.
    var session: SessionID? {
        switch self {
        case .session(let id), .inputs(let id), .input(let id, _), .outputs(let id), .tickets(let id), .stream(let id):
            id
        default: nil
        }
    }

    /// Returns the loop of the session that a target names, without parsing the rest; nil if it names none.
    static func loop(ofSessionIn target: String, of count: Int) -> Int? {
        var target = target
        return target.withUTF8 { bytes in
            rest(of: bytes, behind: "/v1/sessions/").flatMap { SessionID.loop(ofText: $0, of: count) }
        }
    }

    private init(machines rest: UnsafeBufferPointer<UInt8>) {
        guard !rest.isEmpty else {
            self = .machines
            return
        }
        if let name = Route.name(behindSlash: rest) {
            self = .machine(name)
            return
        }
        self = .unknown
        for form in DescriptionForm.allCases {
            guard let machine = Route.rest(of: rest, before: form.path), let name = Route.name(behindSlash: machine)
            else { continue }
            self = .machineDescription(name, form)
        }
    }

    private init(sessions rest: UnsafeBufferPointer<UInt8>) {
        guard !rest.isEmpty else {
            self = .sessions
            return
        }
        guard rest[0] == UInt8(ascii: "/") else {
            self = .unknown
            return
        }
        let path = UnsafeBufferPointer(rebasing: rest[1...])
        let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.count
        guard let id = SessionID(UnsafeBufferPointer(rebasing: path[..<end])) else {
            self = path.isEmpty ? .unknown : .noSession
            return
        }
        let resource = UnsafeBufferPointer(rebasing: path[end...])
        if resource.isEmpty {
            self = .session(id)
        } else if let name = Route.rest(of: resource, behind: "/inputs") {
            self = name.isEmpty ? .inputs(id) : Route.name(behindSlash: name).map { .input(id, $0) } ?? .unknown
        } else if Route.rest(of: resource, behind: "/outputs")?.isEmpty == true {
            self = .outputs(id)
        } else if Route.rest(of: resource, behind: "/tickets")?.isEmpty == true {
            self = .tickets(id)
        } else if Route.rest(of: resource, behind: "/stream")?.isEmpty == true {
            self = .stream(id)
        } else {
            self = .unknown
        }
    }

    private static func rest(
        of path: UnsafeBufferPointer<UInt8>, behind prefix: StaticString
    ) -> UnsafeBufferPointer<UInt8>? {
        let count = prefix.utf8CodeUnitCount
        guard path.count >= count else { return nil }
        for index in 0..<count where path[index] != prefix.utf8Start[index] { return nil }
        return UnsafeBufferPointer(rebasing: path[count...])
    }

    private static func rest(
        of path: UnsafeBufferPointer<UInt8>, before suffix: StaticString
    ) -> UnsafeBufferPointer<UInt8>? {
        let count = path.count - suffix.utf8CodeUnitCount
        guard count >= 0, rest(of: UnsafeBufferPointer(rebasing: path[count...]), behind: suffix) != nil else {
            return nil
        }
        return UnsafeBufferPointer(rebasing: path[..<count])
    }

    /// Returns the single path segment after a slash, percent-decoded.
    private static func name(behindSlash rest: UnsafeBufferPointer<UInt8>) -> String? {
        guard rest.count > 1, rest[0] == UInt8(ascii: "/") else { return nil }
        let segment = rest[1...]
        guard !segment.contains(UInt8(ascii: "/")) else { return nil }
        let name = String(decoding: UnsafeBufferPointer(rebasing: segment), as: UTF8.self)
        return segment.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(name) : name
    }
}

extension Route {
    /// The methods that the resource supports, as the value of `Allow`.
    var allowed: StaticString {
        switch self {
        case .machines, .machine, .machineDescription, .outputs, .stream, .combinedOutputs, .description, .live,
            .ready:
            "GET, HEAD, OPTIONS"
        case .sessions, .inputs, .input: "POST, OPTIONS"
        case .session: "GET, HEAD, DELETE, OPTIONS"
        case .tickets: "POST, DELETE, OPTIONS"
        case .noSession, .unknown: ""
        }
    }

    /// Returns whether the resource supports a method; true for an unknown path, which has the same response for all
    /// methods.
    func takes(_ method: HTTPMethod) -> Bool {
        switch self {
        case .machines, .machine, .machineDescription, .outputs, .stream, .combinedOutputs, .description, .live,
            .ready:
            method == .get || method == .head
        case .sessions, .inputs, .input: method == .post
        case .session: method == .get || method == .head || method == .delete
        case .tickets: method == .post || method == .delete
        case .noSession, .unknown: true
        }
    }
}

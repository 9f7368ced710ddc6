import HTTPModel
import MachineHost

/// The route of a request as metrics and the access log show it: a template of a fixed set, never a path of a client.
enum RequestRoute: Int, CaseIterable {
    case machines, machine, sessions, session, inputs, input, outputs, tickets, stream, combinedOutputs
    case health, metrics, other

    /// Finds the route of a target from its form. Whether the session or the machine exists does not matter.
    init(target: String) {
        var target = target
        self = target.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            let end = bytes.firstOffset(of: UInt8(ascii: "?")) ?? bytes.count
            return RequestRoute(path: bytes[..<end])
        }
    }

    /// Returns the route of a resource that the host has found in a target.
    init(_ resource: RoutedResource) {
        self =
            switch resource {
            case .machines: .machines
            case .machine: .machine
            case .sessions: .sessions
            case .session: .session
            case .inputs: .inputs
            case .input: .input
            case .outputs: .outputs
            case .tickets: .tickets
            case .stream: .stream
            case .combinedOutputs: .combinedOutputs
            case .health: .health
            }
    }

    private init(path: Slice<UnsafeRawBufferPointer>) {
        if let rest = RequestRoute.rest(of: path, behind: "/v1/sessions") {
            self = RequestRoute(sessions: rest)
        } else if let rest = RequestRoute.rest(of: path, behind: "/v1/machines") {
            self = rest.isEmpty ? .machines : RequestRoute.isOneSegment(rest) ? .machine : .other
        } else if RequestRoute.rest(of: path, behind: "/v1/outputs")?.isEmpty == true {
            self = .combinedOutputs
        } else if RequestRoute.rest(of: path, behind: "/health/") != nil {
            self = .health
        } else if RequestRoute.rest(of: path, behind: "/metrics")?.isEmpty == true {
            self = .metrics
        } else {
            self = .other
        }
    }

    private init(sessions rest: Slice<UnsafeRawBufferPointer>) {
        guard let first = rest.first else {
            self = .sessions
            return
        }
        guard first == UInt8(ascii: "/"), rest.count > 1 else {
            self = .other
            return
        }
        let named = rest.dropFirst()
        let end = named.firstIndex(of: UInt8(ascii: "/")) ?? named.endIndex
        let tail = named[end...]
        if tail.isEmpty {
            self = .session
        } else if let input = RequestRoute.rest(of: tail, behind: "/inputs") {
            self = input.isEmpty ? .inputs : RequestRoute.isOneSegment(input) ? .input : .other
        } else if RequestRoute.rest(of: tail, behind: "/outputs")?.isEmpty == true {
            self = .outputs
        } else if RequestRoute.rest(of: tail, behind: "/tickets")?.isEmpty == true {
            self = .tickets
        } else if RequestRoute.rest(of: tail, behind: "/stream")?.isEmpty == true {
            self = .stream
        } else {
            self = .other
        }
    }

    /// The template, as the documentation of the HTTP interface spells it.
    var template: String {
        switch self {
        case .machines: "/v1/machines"
        case .machine: "/v1/machines/{machine}"
        case .sessions: "/v1/sessions"
        case .session: "/v1/sessions/{id}"
        case .inputs: "/v1/sessions/{id}/inputs"
        case .input: "/v1/sessions/{id}/inputs/{input}"
        case .outputs: "/v1/sessions/{id}/outputs"
        case .tickets: "/v1/sessions/{id}/tickets"
        case .stream: "/v1/sessions/{id}/stream"
        case .combinedOutputs: "/v1/outputs"
        case .health: "/health/{check}"
        case .metrics: "/metrics"
        case .other: "other"
        }
    }

    private static func rest(
        of path: Slice<UnsafeRawBufferPointer>, behind prefix: StaticString
    ) -> Slice<UnsafeRawBufferPointer>? {
        guard UnsafeRawBufferPointer(rebasing: path).starts(with: prefix) else { return nil }
        return path.dropFirst(prefix.utf8CodeUnitCount)
    }

    private static func isOneSegment(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
        rest.count > 1 && rest.first == UInt8(ascii: "/") && !rest.dropFirst().contains(UInt8(ascii: "/"))
    }
}

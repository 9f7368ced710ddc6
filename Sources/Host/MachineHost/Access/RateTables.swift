import Access
import HTTPModel

/// The kind of requests that a rate limits: inputs, new sessions, new streams, requests for tickets, or those with rejected
/// credentials.
enum RateKind: Int, CaseIterable {
    case inputs
    case creations
    case streams
    case tickets
    case rejections

    /// Returns the kind of a request by its route; nil if it is not limited.
    // Not an initializer, to which the request would be copied.
    static func kind(of request: HTTPRequest, _ route: Route) -> RateKind? {
        switch route {
        case .input, .inputs: return request.method == .post ? .inputs : nil
        case .sessions: return request.method == .post ? .creations : nil
        // Also the revocation, which is stored like a redemption.
        case .tickets: return request.method == .post || request.method == .delete ? .tickets : nil
        case .outputs:
            guard request.method == .get else { return nil }
            let preference = MediaPreference(request.fields.list(.accept))
            return preference.prefers("text/event-stream", to: "application/json") ? .streams : nil
        case .stream: return request.method == .get && request.queryValue("live") == "sse" ? .streams : nil
        case .combinedOutputs: return request.method == .get ? .streams : nil
        default: return nil
        }
    }
}

extension HostAccess.Rates {
    /// Returns the rate of a kind; nil if it is not limited.
    subscript(kind: RateKind) -> RateLimit? {
        switch kind {
        case .inputs: inputs
        case .creations: creations
        case .streams: streams
        case .tickets: tickets
        case .rejections: rejections
        }
    }
}

/// The tables of the configured rates, which all loops share.
struct RateTables: Sendable {
    // By the raw values of the kinds.
    private var tables: [RateTable?] = Array(repeating: nil, count: RateKind.allCases.count)

    /// Whether requests are limited by their routes.
    var limitRoutes: Bool { RateKind.allCases.contains { $0 != .rejections && self[$0] != nil } }

    /// The table of a kind; nil if it is not limited.
    subscript(kind: RateKind) -> RateTable? { tables[kind.rawValue] }

    /// Uses other rates. Clients keep what they have used.
    mutating func replace(with rates: HostAccess.Rates) {
        for kind in RateKind.allCases {
            guard let limit = rates[kind] else {
                tables[kind.rawValue] = nil
                continue
            }
            if let table = tables[kind.rawValue] {
                table.replace(limit)
            } else {
                tables[kind.rawValue] = RateTable(limit)
            }
        }
    }
}

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
    init?(_ request: HTTPRequest, _ route: Route) {
        switch route {
        case .input, .inputs:
            guard request.method == .post else { return nil }
            self = .inputs
        case .sessions:
            guard request.method == .post else { return nil }
            self = .creations
        case .tickets:
            // Also the revocation, which is stored like a redemption.
            guard request.method == .post || request.method == .delete else { return nil }
            self = .tickets
        case .outputs:
            let preference = MediaPreference(request.fields.list(.accept))
            guard request.method == .get, preference.prefers("text/event-stream", to: "application/json") else {
                return nil
            }
            self = .streams
        case .stream:
            guard request.method == .get, request.queryValue("live") == "sse" else { return nil }
            self = .streams
        case .combinedOutputs:
            guard request.method == .get else { return nil }
            self = .streams
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

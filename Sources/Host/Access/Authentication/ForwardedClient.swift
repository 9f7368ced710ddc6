package import HTTPModel

/// The field in which trusted proxies name their clients.
///
/// One field is believed. Most proxies maintain only one, and pass another one on, which then is the client's own.
public enum ClientField: String, Sendable, CaseIterable {
    /// `X-Forwarded-For`, with the scheme in `X-Forwarded-Proto`.
    case xForwardedFor = "X-Forwarded-For"
    /// `Forwarded` (RFC 7239), with the scheme in its `proto`.
    case forwarded = "Forwarded"
}

/// A reader of the configured field, in which trusted proxies describe their clients.
///
/// A proxy appends to what it has received, so the field is read from the end, and only as far as the addresses are those of
/// trusted proxies. Elements further to the left are claims of the client.
package struct ForwardedClient: Sendable {
    private static let names: [HTTPFieldName] = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
    ]

    private let proxies: TrustedProxies
    private let field: ClientField
    /// The fields that are removed from the requests of trusted proxies, which pass them on.
    private let unmaintained: [HTTPFieldName]
    /// The fields that are removed from the requests of all others.
    private let claims: [HTTPFieldName]

    /// Creates the reader of the fields of these proxies.
    ///
    /// - Parameters:
    ///   - field: The field in which they name their clients.
    ///   - user: The field with which they name the users of their clients.
    package init(_ proxies: TrustedProxies, in field: ClientField = .xForwardedFor, user: HTTPFieldName?) {
        self.proxies = proxies
        self.field = field
        unmaintained = field == .forwarded ? ForwardedClient.names.filter { $0 != "forwarded" } : ["forwarded"]
        claims = ForwardedClient.names + (user.map { [$0] } ?? [])
    }

    /// Returns a request as it was sent by the client of a trusted proxy, whose address may be unknown. The request of another
    /// peer loses the fields.
    package func resolved(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        let isForwarded = proxies.contain(request.peer)
        for name in isForwarded ? unmaintained : claims where request.fields.contains(name) {
            request.fields[name] = nil
        }
        guard isForwarded else { return request }
        let element = statement(in: request.fields)
        request.peer = HTTPPeer(client: element.address, forwardedBy: request.peer)
        if let scheme = element.scheme { request.scheme = scheme }
        return request
    }

    /// Returns the last element that does not name another trusted proxy, or else the first one. Without an element, nothing is
    /// known.
    private func statement(in fields: HTTPFields) -> ForwardedElement {
        switch field {
        case .forwarded:
            return last(in: fields.values("forwarded")) { ForwardedElement(pairs: $0) }
        case .xForwardedFor:
            var element = last(in: fields.values("x-forwarded-for")) { ForwardedElement(node: $0) }
            // The last proxy's.
            ForwardedClient.fromTheEnd(of: fields.values("x-forwarded-proto")) {
                element.setScheme($0)
                return false
            }
            return element
        }
    }

    private func last(in values: [String], _ read: (Substring) -> ForwardedElement) -> ForwardedElement {
        var element = ForwardedElement()
        ForwardedClient.fromTheEnd(of: values) {
            element = read($0)
            return element.address.map { proxies.contain($0) } ?? false
        }
        return element
    }

    /// Calls a closure with the elements of a list, the last one first, until it returns false.
    // A comma in a quoted text also ends an element. The rest of it has an unpaired quote, and states nothing. Read from the
    // beginning, a quote of the client could swallow the element of the proxy.
    private static func fromTheEnd(of values: [String], _ body: (Substring) -> Bool) {
        for value in values.reversed() {
            var rest = value[...]
            while let comma = rest.utf8.lastIndex(of: UInt8(ascii: ",")) {
                guard body(rest[rest.utf8.index(after: comma)...].trimmed) else { return }
                rest = rest[..<comma]
            }
            guard body(rest.trimmed) else { return }
        }
    }
}

/// The element in which one proxy describes the peer of its connection.
private struct ForwardedElement {
    /// The length of the longest valid element of `Forwarded`.
    private static let maxLength = 1024

    /// The address of the peer; nil if it is not known.
    private(set) var address: NumericAddress?
    /// The scheme of the request; nil if it is not known.
    private(set) var scheme: String?

    /// Creates an element that states nothing.
    init() {}

    /// Creates an element of `X-Forwarded-For`.
    init(node: Substring) { address = ForwardedElement.address(node) }

    /// Creates an element of `Forwarded` (RFC 7239 §4). One that is not valid states nothing.
    init(pairs text: Substring) {
        guard text.utf8.count <= ForwardedElement.maxLength else { return }
        var names: Set<String> = []
        var stated = ForwardedElement()
        for pair in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = ForwardedElement.value(Substring(parts[1]).trimmed) else { return }
            let name = Substring(parts[0]).trimmed.lowercased()
            guard names.insert(name).inserted else { return }
            if name == "for" { stated.address = ForwardedElement.address(value) }
            if name == "proto" { stated.setScheme(value) }
        }
        self = stated
    }

    mutating func setScheme(_ text: Substring) {
        let text = text.lowercased()
        scheme = text == "http" || text == "https" ? text : nil
    }

    /// Returns a value without its quotes; nil if it is not valid. No address and no scheme needs an escape in a quoted text.
    private static func value(_ text: Substring) -> Substring? {
        let isQuoted =
            text.utf8.count >= 2 && text.utf8.first == UInt8(ascii: "\"") && text.utf8.last == UInt8(ascii: "\"")
        let value = isQuoted ? Substring(text.utf8.dropFirst().dropLast()) : text
        return value.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ? nil : value
    }

    /// Returns an address without its port, brackets and zone; nil for another text, such as `unknown` or `_hidden`.
    private static func address(_ node: Substring) -> NumericAddress? {
        if node.utf8.first == UInt8(ascii: "[") {
            guard let end = node.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let host = Substring(node.utf8[..<end].dropFirst())
            let rest = Substring(node.utf8[end...].dropFirst())
            return host.utf8.contains(UInt8(ascii: ":")) && (rest.isEmpty || isPort(rest)) ? numeric(host) : nil
        }
        if let address = numeric(node) { return address }
        guard let colon = node.utf8.firstIndex(of: UInt8(ascii: ":")), isPort(node[colon...]) else { return nil }
        return NumericAddress(String(node[..<colon]))
    }

    /// Returns an address whose zone, which has a meaning only for the proxy, is removed.
    private static func numeric(_ text: Substring) -> NumericAddress? {
        guard let zone = text.utf8.firstIndex(of: UInt8(ascii: "%")) else { return NumericAddress(String(text)) }
        let host = text[..<zone]
        return host.utf8.contains(UInt8(ascii: ":")) ? NumericAddress(String(host)) : nil
    }

    /// Returns whether a text is a colon with a port, which may be obfuscated (RFC 7239 §6.3).
    private static func isPort(_ text: Substring) -> Bool {
        let port = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: ":"), let first = port.first else { return false }
        return first == UInt8(ascii: "_")
            ? port.allSatisfy(HTTPToken.isTokenByte) : port.count <= 5 && port.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension Substring {
    /// The text without blanks at its ends.
    fileprivate var trimmed: Substring {
        var text = utf8
        while text.first == 0x20 || text.first == 0x09 { text = text.dropFirst() }
        while text.last == 0x20 || text.last == 0x09 { text = text.dropLast() }
        return Substring(text)
    }
}

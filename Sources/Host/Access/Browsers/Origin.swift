/// The origin of a page (RFC 6454): scheme, host and port, in the form in which browsers send it.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, host and port in lower case, without a default port: `https://example.com`.
    package let description: String

    let scheme: Substring
    let host: Substring
    /// The port with its colon; empty for the default port.
    let port: Substring

    /// Parses an origin. Returns nil for other text, including `null`, the origin of pages without one.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        guard let separator = text.firstRange(of: "://") else { return nil }
        self.init(scheme: text[..<separator.lowerBound], authority: text[separator.upperBound...])
    }

    /// Creates the origin of a server from the scheme and the authority of a request. Returns nil if they are invalid.
    package init?(scheme: some StringProtocol, authority: some StringProtocol) {
        let (scheme, authority) = (scheme.lowercased(), authority.lowercased())
        guard Origin.isScheme(scheme), let (host, digits) = Origin.parts(of: authority) else { return nil }
        var port = ""
        if let digits {
            guard let number = UInt16(digits), number > 0, digits.utf8.allSatisfy(Origin.isDigit) else {
                return nil
            }
            if number != Origin.defaultPort(of: scheme) { port = ":\(number)" }
        }
        description = "\(scheme)://\(host)\(port)"
        let start = description.index(description.startIndex, offsetBy: scheme.utf8.count + 3)
        let end = description.index(start, offsetBy: host.utf8.count)
        self.scheme = description[..<description.index(start, offsetBy: -3)]
        self.host = description[start..<end]
        self.port = description[end...]
    }

    /// Returns whether a page of this origin is certainly of the same site as another origin: the scheme is the same, and one host is
    /// the other or one below it.
    ///
    /// Hosts with a common parent may be of different sites: which parents are, only a list of public suffixes says.
    func isSameSite(as other: Origin) -> Bool {
        guard scheme == other.scheme else { return false }
        return host == other.host || Origin.isHost(host, below: other.host) || Origin.isHost(other.host, below: host)
    }

    private static func isHost(_ host: Substring, below domain: Substring) -> Bool {
        domain.contains(".") && domain.contains { $0.isLetter } && host.hasSuffix("." + domain)
    }

    /// Returns whether a text is a scheme in lower case (RFC 3986 §3.1). Apps have schemes of their own: `capacitor://localhost`.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || isDigit(byte) || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    private static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func parts(of authority: String) -> (host: Substring, port: Substring?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[...end]
            guard host.utf8.dropFirst().dropLast().allSatisfy({ isAddressByte($0) }) else { return nil }
            let rest = authority[authority.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            return rest.hasPrefix(":") ? (host, rest.dropFirst()) : nil
        }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, host.utf8.allSatisfy({ isHostByte($0) }) else { return nil }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// An entry of `access.origins`: one origin, or `https://*.example.com` for all hosts with exactly one label before the
/// domain.
package struct OriginPattern: Hashable, Sendable, CustomStringConvertible {
    /// The text of the entry.
    package let description: String
    private let origin: Origin
    private let isWildcard: Bool

    /// Parses an entry. Returns nil for other text: `*`, a wildcard inside a label, or one before a single label (`*.com`).
    package init?(_ text: String) {
        description = text
        isWildcard = text.contains("//*.")
        let exact = isWildcard ? text.replacing("//*.", with: "//", maxReplacements: 1) : text
        guard let origin = Origin(exact) else { return nil }
        let isDomain = origin.host.contains(".") && origin.host.contains { $0.isLetter } && !origin.host.hasPrefix(".")
        guard !isWildcard || isDomain else { return nil }
        self.origin = origin
    }

    package func matches(_ other: Origin) -> Bool {
        guard isWildcard else { return other == origin }
        guard other.scheme == origin.scheme, other.port == origin.port, other.host.hasSuffix("." + origin.host) else {
            return false
        }
        let label = other.host.dropLast(origin.host.count + 1)
        return !label.isEmpty && !label.contains(".")
    }
}

import Foundation
import HTTPModel

/// Where the keys of an issuer of tokens come from.
enum TokenKeySource: Equatable {
    /// A file with a JWK set or PEM blocks.
    case file(String)
    /// The URL of a JWK set.
    case url(URL)

    /// Creates the source that a configuration names. Returns nil for a URL that is not allowed: keys that an attacker on the
    /// network could replace would let everyone in, so `http` is only for loopback addresses.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else {
            guard !text.isEmpty else { return nil }
            self = .file(text)
            return
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard let url = URL(string: text), TokenKeySource.isAllowed(url), scheme == url.scheme?.lowercased() else {
            return nil
        }
        self = .url(url)
    }

    /// Returns whether keys may be fetched from a URL.
    static func isAllowed(_ url: URL) -> Bool {
        guard let host = url.host(percentEncoded: false), !host.isEmpty, url.user == nil, url.password == nil else {
            return false
        }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http":
            let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            return host.lowercased() == "localhost" || NumericAddress(address)?.isLoopback == true
        default: return false
        }
    }
}

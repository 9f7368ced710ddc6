import HTTPModel

/// A file of API keys: the names and the SHA-256 digests of the keys, not the keys.
///
///     # A comment.
///     reports sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
///
/// A line has a name (1 to 64 letters, digits and `-._`, unique), spaces, and `sha256:` with 64 hexadecimal digits. Keys have
/// 256 random bits, so an unsalted digest is enough: they cannot be guessed.
package struct APIKeyFile: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The name, which is the id of the principal.
        package let name: String
        package let digest: Digest
        fileprivate let line: Int
    }

    /// The beginning of all keys, by which people and scanners recognize them.
    package static let prefix = "granary_"
    private static let algorithm = "sha256:"
    private static let byteCount = 32

    /// The keys, in the order of the file.
    package let entries: [Entry]
    private let lines: [String]

    /// Parses a file.
    ///
    /// - Throws: If a line is invalid, or a name or key is repeated. The error names the line.
    package init(_ text: String) throws(AccessConfigurationError) {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        if lines.last == "" { lines.removeLast() }
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() {
            guard let entry = try APIKeyFile.entry(line, at: index) else { continue }
            if let other = entries.first(where: { $0.name == entry.name || $0.digest == entry.digest }) {
                throw AccessConfigurationError(
                    "Line \(index + 1): expected each name and key once, got those of line \(other.line + 1).")
            }
            entries.append(entry)
        }
        self.entries = entries
        self.lines = lines
    }

    /// The names, in the order of the file.
    package var names: [String] { entries.map(\.name) }

    /// Creates a key for a name.
    ///
    /// - Returns: The key, which is shown once and not stored, and the text of the file with it.
    /// - Throws: If the name is invalid or exists.
    package func adding(_ name: String) throws(AccessConfigurationError) -> (key: String, text: String) {
        guard APIKeyFile.isName(name) else {
            throw AccessConfigurationError(
                "Expected a name of 1 to 64 letters, digits and -._ for the key, got another text.")
        }
        guard !names.contains(name) else {
            throw AccessConfigurationError("Expected a name without a key, got \(name). Revoke its key first.")
        }
        let key = SecretBytes.random(count: APIKeyFile.byteCount).withBytes {
            APIKeyFile.prefix + Base64URL.text(of: $0)
        }
        let digest = Array(key.utf8).withUnsafeBytes { Digest.sha256($0) }
        let line = "\(name) \(APIKeyFile.algorithm)\(Hexadecimal.text(of: digest.bytes))"
        return (key, APIKeyFile.text(of: lines + [line]))
    }

    /// Returns the text of the file without the key of a name; nil if none exists.
    package func removing(_ name: String) -> String? {
        guard let entry = entries.first(where: { $0.name == name }) else { return nil }
        var kept = lines
        kept.remove(at: entry.line)
        return APIKeyFile.text(of: kept)
    }

    private static func text(of lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func entry(_ line: String, at index: Int) throws(AccessConfigurationError) -> Entry? {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let name = words.first, !name.hasPrefix("#") else { return nil }
        guard isName(name) else {
            throw AccessConfigurationError(
                "Line \(index + 1): expected a name of 1 to 64 letters, digits and -._, got another text.")
        }
        guard words.count == 2, words[1].hasPrefix(algorithm),
            let digest = Hexadecimal.bytes(of: words[1].utf8.dropFirst(algorithm.utf8.count)).flatMap({ Digest($0) })
        else {
            // The line is not repeated: it may contain a key by mistake.
            throw AccessConfigurationError(
                "Line \(index + 1): expected a name and \(algorithm) with 64 hexadecimal digits, got another text.")
        }
        return Entry(name: String(name), digest: digest, line: index)
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

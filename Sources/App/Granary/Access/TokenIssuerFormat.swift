import Access
import FoundationEssentials

extension ConfigurationFormat<[Configuration.AccessControl.TokenIssuer]> {
    /// Lists of issuers of tokens: an array of objects, in flags and environment variables as JSON5 text.
    static var tokenIssuers: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a list of objects with issuer, audiences, algorithms and keys (in a flag or an environment "
                + "variable: as JSON5)",
            read: { try? TokenIssuerReader.issuers(of: $0) }, text: { TokenIssuerWriter.literal($0) },
            literal: { TokenIssuerWriter.literal($0) },
            invalidPart: { input in
                do throws(TokenIssuerReader.Mismatch) {
                    _ = try TokenIssuerReader.issuers(of: input)
                    return nil
                } catch {
                    return error.part.map { (error.expectation, $0) }
                }
            })
    }
}

struct TokenIssuerReader {
    /// A mismatch in the value of an issuer. The part is nil if the whole value is not a list of objects.
    struct Mismatch: Error {
        let expectation: String
        let part: String?
    }

    private static let members = [
        "issuer", "audiences", "algorithms", "keys", "refresh", "idClaim", "requiredClaims", "types", "requiresExpiry",
    ]

    private let members: [String: JSON5Value]
    private let place: String

    static func issuers(
        of input: ConfigurationInput
    ) throws(Mismatch) -> [Configuration.AccessControl.TokenIssuer] {
        guard case .array(let elements) = value(of: input) else { throw Mismatch(expectation: "", part: nil) }
        var issuers: [Configuration.AccessControl.TokenIssuer] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                throw Mismatch(expectation: "an object as element \(index + 1)", part: element.kind)
            }
            let issuer = try TokenIssuerReader(members: members, place: "element \(index + 1)").issuer()
            guard !issuers.contains(where: { $0.issuer == issuer.issuer }) else {
                throw Mismatch(expectation: "each issuer once", part: issuer.issuer)
            }
            issuers.append(issuer)
        }
        return issuers
    }

    private static func value(of input: ConfigurationInput) -> JSON5Value? {
        switch input {
        case .json(let value): return value
        case .text(let text):
            if text.isEmpty { return .array([]) }
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = true
            return try? decoder.decode(JSON5Value.self, from: Data(text.utf8))
        }
    }

    private func issuer() throws(Mismatch) -> Configuration.AccessControl.TokenIssuer {
        for name in members.keys.sorted() where !TokenIssuerReader.members.contains(name) {
            let hint = Nearest.hint(for: name, among: TokenIssuerReader.members)
            throw mismatch("one of \(TokenIssuerReader.members.joined(separator: ", ")) as a member\(hint)", name)
        }
        var issuer = Configuration.AccessControl.TokenIssuer(
            issuer: try string("issuer"), audiences: [], algorithms: try algorithms(), keys: try string("keys"))
        if let audiences = members["audiences"] { issuer.audiences = try strings(audiences, "audiences") }
        if TokenKeySource(issuer.keys) == nil {
            throw mismatch("a path, an https:// URL, or an http:// URL of a loopback address as keys", issuer.keys)
        }
        if members["refresh"] != nil { issuer.refresh = try duration("refresh") }
        if members["idClaim"] != nil { issuer.idClaim = try string("idClaim") }
        if let types = members["types"] { issuer.types = try strings(types, "types") }
        if let claims = members["requiredClaims"] { issuer.requiredClaims = try requirements(claims) }
        if let value = members["requiresExpiry"] {
            guard case .bool(let flag) = value else { throw mismatch("true or false as requiresExpiry", shown(value)) }
            issuer.requiresExpiry = flag
        }
        return issuer
    }

    private func algorithms() throws(Mismatch) -> [String] {
        guard let value = members["algorithms"] else { throw mismatch("a list as algorithms", "nothing") }
        let names = try strings(value, "algorithms")
        let known = TokenAlgorithm.allCases.map(\.rawValue)
        guard !names.isEmpty else {
            throw mismatch("at least one of \(known.joined(separator: ", "))", "an empty list")
        }
        for name in names where !known.contains(name) {
            throw mismatch("algorithms of \(known.joined(separator: ", "))", name)
        }
        return names
    }

    private func requirements(_ value: JSON5Value) throws(Mismatch) -> [String: [String]] {
        guard case .object(let claims) = value else {
            throw mismatch("an object of lists as requiredClaims", shown(value))
        }
        var result: [String: [String]] = [:]
        for (name, value) in claims {
            if case .string(let single) = value {
                result[name] = [single]
            } else {
                result[name] = try strings(value, "requiredClaims.\(name)")
            }
        }
        return result
    }

    private func string(_ name: String) throws(Mismatch) -> String {
        guard case .string(let text) = members[name], !text.isEmpty else {
            throw mismatch("a string as \(name)", members[name].map(shown) ?? "nothing")
        }
        return text
    }

    private func strings(_ value: JSON5Value, _ name: String) throws(Mismatch) -> [String] {
        guard case .array(let elements) = value else { throw mismatch("a list of strings as \(name)", shown(value)) }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw mismatch("a list of strings as \(name)", shown(element))
            }
            texts.append(text)
        }
        return texts
    }

    private func duration(_ name: String) throws(Mismatch) -> Duration {
        let text = try string(name)
        guard let duration = Duration(text: text), duration >= KeySetRefresh.leastGap, duration <= .seconds(86_400)
        else {
            throw mismatch("a duration from 10s to 24h as \(name)", text)
        }
        return duration
    }

    private func shown(_ value: JSON5Value) -> String {
        if case .string(let text) = value { text } else { value.kind }
    }

    private func mismatch(_ expectation: String, _ part: String) -> Mismatch {
        Mismatch(expectation: "\(place): \(expectation)", part: part)
    }
}

/// Writes issuers of tokens as JSON5.
enum TokenIssuerWriter {
    static func literal(_ issuers: [Configuration.AccessControl.TokenIssuer]) -> String {
        "[" + issuers.map(object).joined(separator: ", ") + "]"
    }

    private static func object(_ issuer: Configuration.AccessControl.TokenIssuer) -> String {
        let preset = Configuration.AccessControl.TokenIssuer(issuer: "", audiences: [], algorithms: [], keys: "")
        var members = [
            "issuer: \(JSON5Text.quoted(issuer.issuer))", "audiences: \(list(issuer.audiences))",
            "algorithms: \(list(issuer.algorithms))", "keys: \(JSON5Text.quoted(issuer.keys))",
        ]
        if issuer.refresh != preset.refresh { members.append("refresh: \(JSON5Text.quoted(issuer.refresh.text))") }
        if issuer.idClaim != preset.idClaim { members.append("idClaim: \(JSON5Text.quoted(issuer.idClaim))") }
        if !issuer.requiredClaims.isEmpty {
            let claims = issuer.requiredClaims.sorted { $0.key < $1.key }
                .map { "\(JSON5Text.quoted($0.key)): \(list($0.value))" }
            members.append("requiredClaims: {\(claims.joined(separator: ", "))}")
        }
        if !issuer.types.isEmpty { members.append("types: \(list(issuer.types))") }
        if !issuer.requiresExpiry { members.append("requiresExpiry: false") }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func list(_ texts: [String]) -> String {
        "[\(texts.map(JSON5Text.quoted).joined(separator: ", "))]"
    }
}

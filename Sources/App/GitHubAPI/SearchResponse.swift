import Foundation
import HTTPTransfer
import JSONText

/// GitHub's responses, which are not trusted.
extension TransferResponse {
    /// Returns the value of a field, whose name is in lower case. Several values are joined with commas, as in HTTP.
    func field(_ name: String) -> String? {
        let values = head.fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Whether GitHub rejected the request because of a rate limit rather than for lack of permission.
    var isRateLimitError: Bool {
        guard head.status == 403 else { return head.status == 429 }
        // GitHub reports its secondary rate limits with 403 and without `x-ratelimit-remaining: 0`. Only the message distinguishes such a
        // response from a missing permission.
        return field("retry-after") != nil || field("x-ratelimit-remaining") == "0"
            || ErrorDocument(body)?.message.lowercased().contains("rate limit") == true
    }

    /// Returns the page that the response contains, or the one whose entity tag was sent with the request if the response confirms it.
    func page(_ number: Int, cached: RepositoryPage?) throws(GitHubError) -> RepositoryPage {
        if head.status == 304, let cached { return cached }
        guard head.status == 200 else { throw refusal }
        if let type = field("content-type") {
            let name = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard name == "application/json" || name.hasSuffix("+json") else {
                throw invalid("expected JSON, got content of type \(type.shown)")
            }
        }
        let document: SearchDocument
        do {
            document = try SearchDocument(body)
        } catch {
            guard body.isEmpty || isTruncated else { throw invalid(SearchDocument.describe(error)) }
            let reason = "GitHub's response ended early, after \(body.count) bytes of JSON."
            throw GitHubError(.truncated, reason, status: head.status)
        }
        if let link = document.items.map(\.htmlUrl).first(where: { !$0.isOnTheWeb }) {
            let scheme = (link.scheme ?? "").shown
            throw invalid("expected a repository URL with http or https, got the scheme \"\(scheme)\"")
        }
        return RepositoryPage(
            repositories: document.items, totalCount: document.totalCount, isIncomplete: document.incompleteResults,
            number: number, nextPage: page(of: "next"), lastPage: page(of: "last"))
    }

    private func invalid(_ reason: String) -> GitHubError {
        GitHubError(.notJSON, "GitHub's response is invalid: \(reason).", status: head.status)
    }

    private var refusal: GitHubError {
        let (status, target) = (head.status, field("location").map { " to \($0.shown)" } ?? "")
        let (code, problem): (GitHubError.Code, String) =
            switch status {
            case 304: (.unexpectedResponse, "responded with 304 (not modified), but no earlier response is cached.")
            case 300..<400: (.redirected, "redirected the request\(target) (\(status)); this redirect is not followed.")
            case 401: (.unauthorized, "rejected the access token (401).")
            case 403: (.forbidden, "denied access to this search (403).")
            case 422: (.invalidQuery, "rejected the search as invalid (422).")
            case 500...599: (.serverFailed, "failed to process the request (\(status)).")
            default: (.unexpectedResponse, "responded with an unexpected status (\(status)).")
            }
        let words = (300..<400).contains(status) ? nil : ErrorDocument(body)?.text.shown
        return GitHubError(code, "GitHub \(problem)" + (words.map { " GitHub's message: \($0)" } ?? ""), status: status)
    }

    /// Whether the content is the beginning of a JSON object, as opposed to text that was never JSON.
    private var isTruncated: Bool {
        let document = Result { () throws(JSONSyntaxError) in try JSONScanner.document(body, nestingLimit: 512) }
        guard case .failure(let error) = document else { return false }
        return body.first { $0 > 0x20 } == UInt8(ascii: "{") && error.isAtEnd(of: body)
    }

    /// Returns the page number in the first link with a relation in the field `Link` (RFC 8288). Only the number is used: a client that
    /// builds its own URLs cannot be sent to another host by a response.
    private func page(of relation: String) -> Int? {
        for link in Self.parts(of: field("link") ?? "", at: ",") {
            let parts = Self.parts(of: link, at: ";")
            // The links before the first error count (RFC 8288 appendix B).
            guard let target = parts.first, target.hasPrefix("<"), target.firstIndex(of: ">") == target.indices.last
            else { return nil }
            let names = parts.map { $0.prefix { !"= \t".contains($0) }.lowercased() }
            // A link with an anchor belongs to another resource, and only the first `rel` counts (RFC 8288 §3.3).
            guard !names.contains("anchor"), let index = names.firstIndex(of: "rel") else { continue }
            let relations = parts[index].lowercased().filter { $0 != "\\" }.split { "= \t\"".contains($0) }.dropFirst()
            guard relations.contains(Substring(relation)) else { continue }
            let pairs = target.drop { $0 != "?" }.dropFirst().prefix { !"#>".contains($0) }.split(separator: "&")
            let number = pairs.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst("page=".count)) }
            return number.flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }

    /// Returns the parts between the separators outside of targets and quoted strings.
    private static func parts(of text: String, at separator: Character) -> [String] {
        var end: Character?
        var isEscaped = false
        let parts = text.split { character in
            defer { isEscaped = character == "\\" && end == "\"" && !isEscaped }
            guard let expected = end else {
                end = character == "<" ? ">" : character == "\"" ? "\"" : nil
                return character == separator
            }
            if character == expected, !isEscaped { end = nil }
            return false
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

/// A page of results in GitHub's format, reduced to the members that the client reads.
private struct SearchDocument: Decodable {
    let totalCount: Int
    let incompleteResults: Bool
    let items: [Repository]

    init(_ body: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // Foundation's `.iso8601` strategy reports an invalid date at the coding path of its parent.
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = try? Date(container.decode(String.self), strategy: .iso8601) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an ISO 8601 date")
            }
            return date
        }
        self = try decoder.decode(Self.self, from: Data(body))
    }

    /// Describes a decoding error, as the end of a sentence.
    static func describe(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case DecodingError.valueNotFound(let type, let context):
            "\(place(context.codingPath)): expected \(name(type)), got null"
        case DecodingError.typeMismatch(let type, let context):
            "\(place(context.codingPath)): expected \(name(type)), got another type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "the value of \(place(context.codingPath)) is invalid"
        default: "it is not JSON"
        }
    }

    /// Returns a path as a JSON Pointer (RFC 6901), with the keys in snake case as in the document.
    private static func place(_ path: [any CodingKey]) -> String {
        let segments = path.map { key in
            let name = key.stringValue.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
            return "/" + (key.intValue.map(String.init) ?? name)
        }
        return path.isEmpty ? "the document" : segments.joined()
    }

    private static func name(_ type: any Any.Type) -> String {
        type is [String: Any].Type ? "an object" : type is [Any].Type ? "an array" : "\(type)"
    }
}

/// The body of GitHub's error responses.
private struct ErrorDocument: Decodable {
    struct Detail: Decodable {
        struct Members: Decodable { let message, field, code: String? }

        let text: String?

        // GitHub sends objects for most errors, and bare strings for some.
        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
            } else {
                let members = try Members(from: decoder)
                text = members.message ?? members.code.map { "\(members.field ?? "a field"): \($0)" }
            }
        }
    }

    let message: String
    let errors: [Detail]?

    /// Decodes a body. Returns `nil` if it has a different structure.
    init?(_ body: [UInt8]) {
        guard let document = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return nil }
        self = document
    }

    /// The message and its details.
    var text: String { ([message] + (errors ?? []).compactMap(\.text)).joined(separator: " – ") }
}

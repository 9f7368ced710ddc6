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
            || messages.first?.lowercased().contains("rate limit") == true
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
        do throws(JSONSyntaxError) {
            _ = try JSONScanner.document(body, nestingLimit: 512)
        } catch {
            let isJSON = (body.first { $0 > 0x20 } ?? UInt8(ascii: "{")) == UInt8(ascii: "{")
            guard isJSON, error.isAtEnd(of: body) else { throw invalid("it is not JSON") }
            let reason = "GitHub's response ended early, after \(body.count) bytes of JSON."
            throw GitHubError(.truncated, reason, status: head.status)
        }
        let document: SearchDocument
        do {
            document = try SearchDocument.decoder.decode(SearchDocument.self, from: Data(body))
        } catch {
            throw invalid((error as? DecodingError)?.reason ?? "\(error)")
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
        let words = (300..<400).contains(status) ? "" : messages.joined(separator: " – ").shown
        let message = "GitHub \(problem)" + (words.isEmpty ? "" : " GitHub's message: \(words)")
        return GitHubError(code, message, status: status)
    }

    /// The message of an error response, and those of its details, most of which are objects. Empty if it has another form.
    private var messages: [String] {
        guard let range = try? JSONScanner.document(body, nestingLimit: 512) else { return [] }
        let document = JSONValue(bytes: body, range: range)
        guard let message = document.member("message")?.string else { return [] }
        return [message]
            + (document.member("errors")?.elements ?? []).compactMap { detail in
                func text(_ name: String) -> String? { detail.member(name)?.string }
                return detail.string ?? text("message") ?? text("code").map { "\(text("field") ?? "a field"): \($0)" }
            }
    }

    /// Returns the page number in the first link with a relation in the field `Link` (RFC 8288). Only the number is used: a client that
    /// builds its own URLs cannot be sent to another host by a response.
    private func page(of relation: String) -> Int? {
        // GitHub sends a few hundred bytes, and the time of the regular expressions grows with the length.
        guard let links = field("link"), links.utf8.count <= 8 << 10 else { return nil }
        // Separators in targets and in quoted strings separate nothing.
        for link in links.matches(of: /(?:<[^>]*>?|"(?:\\.|[^"\\])*"?|[^,])+/)
        where !link.output.allSatisfy(\.isWhitespace) {
            let parts = link.output.matches(of: /(?:<[^>]*>?|"(?:\\.|[^"\\])*"?|[^;])+/)
                .map { $0.output.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            // The links before the first error count (RFC 8288 appendix B).
            guard let target = parts.first, target.wholeMatch(of: /<[^>]*>/) != nil else { return nil }
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
}

/// A page of results in GitHub's format, reduced to the members that the client reads.
private struct SearchDocument: Decodable {
    let totalCount: Int
    let incompleteResults: Bool
    let items: [Repository]

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // Foundation's `.iso8601` strategy reports an invalid date at the coding path of its parent.
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let date = try? Date(container.decode(String.self), strategy: .iso8601) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an ISO 8601 date")
        }
        return decoder
    }
}

extension DecodingError {
    /// The reason as the end of a sentence, with the place as a JSON Pointer (RFC 6901).
    fileprivate var reason: String {
        switch self {
        case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case .valueNotFound(let type, let context): "\(place(context.codingPath)): expected \(name(type)), got null"
        case .typeMismatch(let type, let context):
            "\(place(context.codingPath)): expected \(name(type)), got another type"
        case .dataCorrupted(let context): "the value of \(place(context.codingPath)) is invalid"
        @unknown default: "\(self)"
        }
    }

    /// The decoder has converted the keys from snake case.
    private func place(_ path: [any CodingKey]) -> String {
        let segments = path.map { key in
            let name = key.stringValue.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
            return "/" + (key.intValue.map(String.init) ?? name)
        }
        return path.isEmpty ? "the document" : segments.joined()
    }

    private func name(_ type: any Any.Type) -> String {
        type is [String: Any].Type ? "an object" : type is [Any].Type ? "an array" : "\(type)"
    }
}

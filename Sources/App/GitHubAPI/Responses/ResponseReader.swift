package import Foundation
import JSONText

/// Interprets a response. Has no side effects, so that a test can write each of GitHub's responses as a literal.
package struct ResponseReader {
    private let query: RepositoryQuery
    private let cached: ResponseCache.Entry?

    /// Creates a reader for the response to a query.
    ///
    /// - Parameters:
    ///   - query: The query that the request carried.
    ///   - cached: The cache entry whose entity tag was sent with the request.
    package init(query: RepositoryQuery, cached: ResponseCache.Entry?) {
        self.query = query
        self.cached = cached
    }

    /// Returns whether GitHub rejected the request because of a rate limit rather than for lack of permission.
    package static func isRateLimitError(_ response: Response) -> Bool {
        switch response.status {
        case 429: return true
        case 403:
            // GitHub reports its secondary rate limits with 403 and without `x-ratelimit-remaining: 0`. Only the
            // message distinguishes such a response from a missing permission.
            return response.fields["retry-after"] != nil || response.fields["x-ratelimit-remaining"] == "0"
                || ErrorDocument.read(response.body)?.message.lowercased().contains("rate limit") == true
        default: return false
        }
    }

    /// Returns the page that a response contains or confirms.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - refusedUntil: The end of the rate limit, if the response is a rate limit error.
    /// - Throws: ``GitHubError`` if the response contains no page.
    package func page(of response: Response, refusedUntil: Date?) throws(GitHubError) -> RepositoryPage {
        if let refusedUntil { throw .rateLimited(until: refusedUntil, status: response.status) }
        switch response.status {
        case 200: return try readPage(response)
        case 304:
            if let cached { return cached.page }
            throw unexpected(response, "GitHub responded with 304 (not modified), but no earlier response is cached.")
        case 300..<400: throw redirected(response)
        default: throw refusal(response)
        }
    }

    private func readPage(_ response: Response) throws(GitHubError) -> RepositoryPage {
        if let type = response.fields["content-type"], !Self.isJSON(type) {
            throw notJSON(response, "expected JSON, got content of type \(UntrustedText.shown(type))")
        }
        do {
            let (repositories, total, isIncomplete) = try SearchDocument.repositories(in: response.body)
            let links = LinkHeader(response.fields["link"] ?? "")
            return RepositoryPage(
                repositories: repositories, totalCount: total, isIncomplete: isIncomplete, number: query.page,
                nextPage: links.page(of: "next"), lastPage: links.page(of: "last"))
        } catch {
            guard !response.body.isEmpty, !Self.isTruncated(response.body) else {
                throw GitHubError(
                    .truncated, "GitHub's response ended early, after \(response.body.count) bytes of JSON.",
                    status: response.status)
            }
            throw notJSON(response, DecodingErrorText.describe(error))
        }
    }

    private func refusal(_ response: Response) -> GitHubError {
        let text = ErrorDocument.read(response.body)?.text
        let words = text.map { " GitHub's message: \($0)" } ?? ""
        switch response.status {
        case 401:
            return GitHubError(.unauthorized, "GitHub rejected the access token (401).\(words)", status: 401)
        case 403: return GitHubError(.forbidden, "GitHub denied access to this search (403).\(words)", status: 403)
        case 422: return .invalidQuery("GitHub rejected the search as invalid (422).\(words)", status: 422)
        case 500...599:
            return GitHubError(
                .serverFailed, "GitHub failed to process the request (\(response.status)).\(words)",
                status: response.status)
        default:
            return unexpected(response, "GitHub responded with an unexpected status (\(response.status)).\(words)")
        }
    }

    private func redirected(_ response: Response) -> GitHubError {
        let target = response.fields["location"].map { " to \(UntrustedText.shown($0))" } ?? ""
        return GitHubError(
            .redirected, "GitHub redirected the request\(target) (\(response.status)); this redirect is not followed.",
            status: response.status)
    }

    private func unexpected(_ response: Response, _ message: String) -> GitHubError {
        GitHubError(.unexpectedResponse, message, status: response.status)
    }

    private func notJSON(_ response: Response, _ reason: String) -> GitHubError {
        GitHubError(.notJSON, "GitHub's response is invalid: \(reason).", status: response.status)
    }

    /// Returns whether a body is the beginning of a JSON object, as opposed to text that was never JSON.
    private static func isTruncated(_ body: Data) -> Bool {
        let bytes = [UInt8](body)
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
        do {
            _ = try JSONScanner.document(bytes, nestingLimit: 512)
            return false
        } catch {
            return error.isAtEnd(of: bytes)
        }
    }

    private static func isJSON(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        return type == "application/json" || type.hasSuffix("+json")
    }
}

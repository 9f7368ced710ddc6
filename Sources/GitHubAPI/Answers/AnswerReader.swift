package import Foundation
import JSONText

/// Decides what an answer means: pure, so that each of GitHub's answers is a literal in a test.
package struct AnswerReader {
    private let query: RepositoryQuery
    private let cached: ResponseCache.Entry?

    /// A reader of the answer to that query; `cached` is the entry whose tag was sent with it.
    package init(query: RepositoryQuery, cached: ResponseCache.Entry?) {
        self.query = query
        self.cached = cached
    }

    /// Whether GitHub refuses the request because there were too many, not because it is not allowed.
    package static func isRateLimitRefusal(_ answer: Answer) -> Bool {
        switch answer.status {
        case 429: return true
        case 403:
            return answer.fields["retry-after"] != nil || answer.fields["x-ratelimit-remaining"] == "0"
                || RefusalDocument.read(answer.body)?.message.lowercased().contains("rate limit") == true
        default: return false
        }
    }

    /// The page that an answer holds or confirms.
    ///
    /// - Parameters:
    ///   - refusedUntil: When the rate limit ends, if the answer was found to be such a refusal.
    package func page(of answer: Answer, refusedUntil: Date?) throws(GitHubError) -> RepositoryPage {
        if let refusedUntil { throw .rateLimited(until: refusedUntil, status: answer.status) }
        switch answer.status {
        case 200: return try readPage(answer)
        case 304:
            if let cached { return cached.page }
            throw unexpected(answer, "GitHub says that nothing has changed (304), but nothing was remembered.")
        case 300..<400: throw redirected(answer)
        default: throw refusal(answer)
        }
    }

    private func readPage(_ answer: Answer) throws(GitHubError) -> RepositoryPage {
        if let type = answer.fields["content-type"], !Self.isJSON(type) {
            throw notJSON(answer, "expected JSON, the content is of type \(ForeignText.shown(type))")
        }
        do {
            let (repositories, total, isIncomplete) = try SearchDocument.repositories(in: answer.body)
            let links = LinkHeader(answer.fields["link"] ?? "")
            return RepositoryPage(
                repositories: repositories, totalCount: total, isIncomplete: isIncomplete, number: query.page,
                nextPage: links.page(of: "next"), lastPage: links.page(of: "last"))
        } catch {
            guard !answer.body.isEmpty, !Self.isTruncated(answer.body) else {
                throw GitHubError(
                    .truncated, "GitHub's answer ended too early, after \(answer.body.count) bytes of JSON.",
                    status: answer.status)
            }
            throw notJSON(answer, DecodingSentence.describe(error))
        }
    }

    private func refusal(_ answer: Answer) -> GitHubError {
        let text = RefusalDocument.read(answer.body)?.text
        let words = text.map { " It says: \($0)" } ?? ""
        switch answer.status {
        case 401:
            return GitHubError(.unauthorized, "GitHub does not accept the access token (401).\(words)", status: 401)
        case 403: return GitHubError(.forbidden, "GitHub does not allow this search (403).\(words)", status: 403)
        case 422: return .invalidQuery("GitHub cannot search for this (422).\(words)", status: 422)
        case 500...599:
            return GitHubError(
                .serverFailed, "GitHub has a problem and could not answer (\(answer.status)).\(words)",
                status: answer.status)
        default:
            return unexpected(answer, "GitHub gave an answer that is not understood (\(answer.status)).\(words)")
        }
    }

    private func redirected(_ answer: Answer) -> GitHubError {
        let target = answer.fields["location"].map { " to \(ForeignText.shown($0))" } ?? ""
        return GitHubError(
            .redirected, "GitHub's address redirects\(target) (\(answer.status)), which is not followed.",
            status: answer.status)
    }

    private func unexpected(_ answer: Answer, _ message: String) -> GitHubError {
        GitHubError(.unexpectedAnswer, message, status: answer.status)
    }

    private func notJSON(_ answer: Answer, _ reason: String) -> GitHubError {
        GitHubError(.notJSON, "GitHub's answer cannot be read: \(reason).", status: answer.status)
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

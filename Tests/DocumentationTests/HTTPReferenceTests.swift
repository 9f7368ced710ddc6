import Foundation
import HTTPModel
import MachineTesting
import Testing

/// Runs the examples of `Docs/http.md`, in order, against one server.
///
/// A block fenced as `http` is a request and its response. A block fenced as `event-stream` is what the stream that was
/// opened last receives next. Ids are written as in the document: the test replaces those of the server with them.
@Suite struct HTTPReferenceTests {
    @Test func `every example of the reference is what the server does`() throws {
        let examples = try Example.all(in: "Docs/http.md")
        #expect(examples.count > 15)
        var run = try ReferenceRun()
        for example in examples { try run.check(example) }
    }

    @Test func `the reference names every kind of problem that the host reports`() throws {
        let text = try String(contentsOf: Example.root.appending(path: "Docs/http.md"), encoding: .utf8)
        for kind in [
            "malformed-request", "malformed-json", "not-found", "method-not-allowed", "not-acceptable",
            "unsupported-media-type", "session-ended", "invalid-value", "missing-state", "input-refused",
            "version-mismatch",
            "idempotency-conflict", "idempotency-mismatch", "name-in-use", "too-many-keys", "session-full", "disk-full",
            "too-many-streams",
            "too-many-sessions", "internal-error", "unavailable", "request-timeout", "body-too-large",
            "target-too-long",
            "head-too-large", "misdirected-request", "unsupported-version", "not-implemented", "unknown-expectation",
            "tls-required", "too-many-connections", "server-full", "precondition-failed", "range-not-satisfiable",
        ] {
            #expect(text.contains("`\(kind)`"), "\(kind) is missing")
        }
    }
}

/// One example of the document.
private enum Example {
    /// A request and its response, and the line of the document where it begins.
    case exchange(request: [Substring], response: [Substring], line: Int)
    /// The bytes that the open stream receives next.
    case stream(String, line: Int)

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func all(in path: String) throws -> [Example] {
        let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var examples: [Example] = []
        var start = 0
        while let opening = lines[start...].firstIndex(where: { $0 == "```http" || $0 == "```event-stream" }) {
            let end = try #require(lines[(opening + 1)...].firstIndex(of: "```"))
            let block = lines[(opening + 1)..<end]
            if lines[opening] == "```http" {
                let status = try #require(block.firstIndex { $0.hasPrefix("HTTP/1.1 ") })
                examples.append(
                    .exchange(
                        request: Array(block[..<status].dropLast()), response: Array(block[status...]),
                        line: opening + 1))
            } else {
                examples.append(.stream(block.joined(separator: "\n"), line: opening + 1))
            }
            start = end + 1
        }
        return examples
    }
}

/// A server, the ids that it has given, and the stream that was opened last.
private struct ReferenceRun {
    private static let sessionIDs = [
        "jt0iGwEJTmmrvDnmhNTjwg", "hG2c0sSmDkTzC5vH7rJpLA", "Pq3vYk2ZQ9aXb7sLr0uEcA",
    ]
    /// The epochs of these sessions.
    private static let epochs = ["VgFTtm", "Zk3_0a", "o3bGaB"]
    private let harness: HostHarness
    /// The ids and epochs of the server, by those of the document.
    private var ids: [String: String] = [:]
    private var stream: StreamFollower?

    init() throws {
        harness = try HostHarness([thermostat(), cart()])
    }

    mutating func check(_ example: Example) throws {
        switch example {
        case .exchange(let request, let response, let line): try check(request, response, line)
        case .stream(let expected, let line):
            let stream = try #require(stream, "line \(line): no stream is open")
            #expect(received(stream) == expected + "\n", "line \(line)")
        }
    }

    private mutating func check(_ request: [Substring], _ response: [Substring], _ line: Int) throws {
        let parts = request[0].split(separator: " ")
        let (fields, body) = split(request.dropFirst())
        var sent = HTTPFields()
        for (name, value) in fields {
            sent.append(try #require(HTTPFieldName(name)), try #require(HTTPFieldValue(real(value))))
        }
        let answer = harness.send(
            HTTPMethod(rawValue: String(parts[0])), real(String(parts[1])), body: body.isEmpty ? nil : body,
            fields: sent)
        learnID(from: answer)
        let (expectedFields, expectedBody) = split(response.dropFirst())
        #expect(
            response[0].hasPrefix("HTTP/1.1 \(answer.status.code) "),
            "line \(line): got \(answer.status.code) \(answer.text)")
        for (name, value) in expectedFields {
            let found = answer.fields.value(try #require(HTTPFieldName(name)))
            #expect(found.map(shown) == value, "line \(line): \(name)")
        }
        if let body = answer.stream {
            let follower = StreamFollower(body)
            stream = follower
            #expect(received(follower) == (expectedBody.isEmpty ? "" : expectedBody + "\n\n"), "line \(line)")
        } else {
            #expect(shown(answer.text) == expectedBody, "line \(line)")
        }
    }

    /// The text that the stream has received since it was last asked.
    private mutating func received(_ stream: StreamFollower) -> String {
        harness.loop.run()
        let start = stream.bytes.count
        stream.read()
        let text = String(decoding: stream.bytes[start...], as: UTF8.self)
        return shown(text).replacing(/retry: \d+\nevent: end/, with: "retry: 1743\nevent: end")
    }

    private mutating func learnID(from answer: HarnessAnswer) {
        guard answer.status == .created, let path = answer.fields.value(.location) else { return }
        let id = String(path.dropFirst("/v1/sessions/".count))
        guard !ids.values.contains(id) else { return }
        let place = ids.count / 2
        ids[ReferenceRun.sessionIDs[place]] = id
        ids[ReferenceRun.epochs[place]] = answer.fields.value(.eTag).map { String($0.dropFirst().prefix(6)) }
    }

    /// A text of the server with the ids of the document.
    private func shown(_ text: String) -> String {
        var text = text
        for (shown, real) in ids { text = text.replacing(real, with: shown) }
        return text
    }

    /// A text of the document with the ids of the server.
    private func real(_ text: String) -> String {
        var text = text
        for (shown, real) in ids { text = text.replacing(shown, with: real) }
        return text
    }

    /// The fields and the content of a message without its first line.
    private func split(_ lines: ArraySlice<Substring>) -> (fields: [(String, String)], body: String) {
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        let fields = lines[..<end].map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        return (fields, lines[end...].dropFirst().joined(separator: "\n"))
    }
}

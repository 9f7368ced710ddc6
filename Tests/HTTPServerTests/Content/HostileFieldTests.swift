import HTTPModel
import Testing

@testable import HTTPServer

/// Malformed and hostile field values. They are the same in every run.
@Suite struct HostileFieldTests {
    /// Returns texts that are assembled from valid and invalid pieces of the fields.
    private static func texts(_ pieces: [String], count: Int) -> [String] {
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in (0..<next(12)).map { _ in pieces[next(pieces.count)] }.joined() }
    }

    @Test func `for any Range field, the ranges are inside the content and not larger than it in total`() {
        let pieces = [
            "bytes=", "bytes", "=", "-", ",", " ", "\t", "0", "1", "9", "99", "18446744073709551616",
            "9223372036854775807", "9223372036854775808", "x", "+", "é", "\u{301}", "-5", "3-7",
        ]
        for text in Self.texts(pieces, count: 3000) {
            for length in [0, 1, 10, .max] {
                guard case .parts(let parts) = ByteRanges(text, length: length) else { continue }
                #expect(
                    !parts.isEmpty && parts.allSatisfy { !$0.isEmpty && $0.lowerBound >= 0 && $0.upperBound <= length })
                #expect(length == .max || parts.reduce(0) { $0 + $1.count } <= length)
            }
        }
    }

    @Test func `for any Accept-Encoding field, the chosen coding is offered and acceptable`() throws {
        let pieces = [
            "gzip", "br", "identity", "*", ";q=", ";", "q", "=", "0", "1", ".", "000", "5", ",", " ", "\t", "x-gzip",
            "é",
        ]
        for text in Self.texts(pieces, count: 3000) {
            guard let value = HTTPFieldValue(text) else { continue }
            let preferences = CodingPreferences([.acceptEncoding: value])
            #expect(preferences.choose(from: [.gzip]) != .brotli && preferences.choose(from: []) == nil)
            if !text.contains("gzip"), !text.contains("*") { #expect(preferences.choose(from: [.gzip]) == nil) }
            if !text.contains("0") { #expect(preferences.takesIdentity) }
        }
    }

    @Test func `for any condition, only tags that it contains are found`() throws {
        let pieces = ["\"", "W/", "a", "b", ",", " ", "\t", "*", "\\", "-gzip", "é", "/"]
        for text in Self.texts(pieces, count: 3000) {
            guard let value = HTTPFieldValue(text) else { continue }
            let fields: HTTPFields = [.ifNoneMatch: value]
            guard case .tags(let tags) = HTTPEntityTags(.ifNoneMatch, in: fields) else { continue }
            for tag in tags { #expect(text.contains(tag.fieldValue.string)) }
            // The condition that the responder gets has the same tags, and additional ones only without their coding.
            guard case .tags(let widened) = HTTPEntityTags(.ifNoneMatch, in: EntityTagConditions.widened(fields)) else {
                Issue.record("expected the tags of \(text), got none")
                continue
            }
            #expect(widened.starts(with: tags) && widened.count <= 2 * tags.count)
            #expect(EntityTagConditions.widened(fields).value(.ifNoneMatch)?.hasPrefix(text) == true)
        }
    }
}

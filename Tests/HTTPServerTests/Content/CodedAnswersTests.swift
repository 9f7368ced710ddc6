import HTTPCompression
import Testing

@testable import HTTPServer

@Suite struct CodedAnswersTests {
    private func content(_ byte: UInt8, count: Int = 2000) -> [UInt8] { Array(repeating: byte, count: count) }

    @Test func `content that comes again is kept, each coding for itself`() {
        var answers = CodedAnswers()
        let shared = content(1)
        answers.note(shared, .gzip, [1])
        #expect(answers.coded(shared, .gzip) == nil)
        answers.note(shared, .gzip, [2])
        answers.note(shared, .brotli, [3])
        #expect(answers.coded(shared, .gzip) == [2] && answers.coded(shared, .brotli) == [3])
    }

    @Test func `content that is equal and somewhere else is not the same`() {
        var answers = CodedAnswers()
        let (one, other) = (content(1), content(1))
        for _ in 0..<2 { answers.note(one, .gzip, [1]) }
        #expect(answers.coded(one, .gzip) == [1] && answers.coded(other, .gzip) == nil)
    }

    @Test func `a copy that was changed is other content`() {
        var answers = CodedAnswers()
        let shared = content(1)
        for _ in 0..<2 { answers.note(shared, .gzip, [1]) }
        var changed = shared
        changed[0] = 2
        #expect(answers.coded(changed, .gzip) == nil)
    }

    @Test func `content that comes once drives nothing out`() {
        var answers = CodedAnswers()
        let shared = content(1)
        for _ in 0..<2 { answers.note(shared, .gzip, [1]) }
        for byte in 2..<UInt8(200) { answers.note(content(byte), .gzip, [byte]) }
        #expect(answers.coded(shared, .gzip) == [1])
    }

    @Test func `what has been kept longest makes room`() {
        var answers = CodedAnswers()
        let all = (0..<UInt8(9)).map { content($0) }
        for (index, content) in all.enumerated() {
            for _ in 0..<2 { answers.note(content, .gzip, [UInt8(index)]) }
        }
        #expect(answers.coded(all[0], .gzip) == nil)
        for index in 1..<9 { #expect(answers.coded(all[index], .gzip) == [UInt8(index)]) }
    }

    @Test func `large content is not held`() {
        var answers = CodedAnswers()
        let large = content(1, count: 300 << 10)
        for _ in 0..<3 { answers.note(large, .gzip, [1]) }
        #expect(answers.coded(large, .gzip) == nil)
    }
}

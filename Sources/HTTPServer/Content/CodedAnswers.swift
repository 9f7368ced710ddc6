import HTTPCompression

/// What was made of content that is answered with again and again: a document that is made once and shared by all answers
/// is compressed once for each coding. Content that is made anew for each answer is none of that, and passes through.
///
/// Content is known by where it is, which costs no look at its bytes; it is held here, so that nothing else can be there.
struct CodedAnswers {
    /// Contents that are looked out for, the last ones that came.
    private static let mostRecent = 4
    /// Contents, in each coding, that are kept.
    private static let mostKept = 8
    /// Larger ones are not, so that little is held for nothing.
    private static let largest = 256 << 10

    private struct Kept {
        let content: [UInt8]
        let coding: ContentCoding
        let coded: [UInt8]
    }

    private var kept: [Kept] = []
    private var recent: [[UInt8]] = []

    /// What was made of this content before.
    func coded(_ content: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        kept.first { $0.coding == coding && CodedAnswers.areSame($0.content, content) }?.coded
    }

    /// Takes note of what was made of some content; it is kept once the content has come for the second time, in the place of
    /// what has been kept longest.
    mutating func note(_ content: [UInt8], _ coding: ContentCoding, _ coded: [UInt8]) {
        guard content.count <= CodedAnswers.largest else { return }
        if recent.contains(where: { CodedAnswers.areSame($0, content) }) {
            if kept.count == CodedAnswers.mostKept { kept.removeFirst() }
            kept.append(Kept(content: content, coding: coding, coded: coded))
        } else {
            if recent.count == CodedAnswers.mostRecent { recent.removeFirst() }
            recent.append(content)
        }
    }

    private static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }
}

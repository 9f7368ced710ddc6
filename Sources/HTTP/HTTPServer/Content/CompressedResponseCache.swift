/// The compressed forms of content that is sent repeatedly. A document that is created once and shared by all responses
/// is compressed once per coding. Content that is created for each response is not cached.
///
/// Content is identified by its storage address, which is cheaper than looking at its bytes. The cache keeps the array
/// alive, so that no other array can have the same address.
struct CompressedResponseCache {
    /// The number of recent contents that are remembered in order to detect repetition.
    private static let maxRecent = 4
    /// The number of compressed forms that are kept.
    private static let maxKept = 8
    /// Larger content is not kept, to limit the memory for content that may not be sent again.
    private static let maxBytes = 256 << 10

    private struct Kept {
        let content: [UInt8]
        let coding: ContentCoding
        let compressed: [UInt8]
    }

    private var kept: [Kept] = []
    private var recent: [[UInt8]] = []

    /// Returns the compressed form of content, if it is kept.
    func compressed(_ content: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        kept.first { $0.coding == coding && CompressedResponseCache.areSame($0.content, content) }?.compressed
    }

    /// Records a compressed form. It is kept when the same content is recorded for the second time, and replaces the
    /// oldest one.
    mutating func note(_ content: [UInt8], _ coding: ContentCoding, _ compressed: [UInt8]) {
        guard content.count <= CompressedResponseCache.maxBytes else { return }
        if recent.contains(where: { CompressedResponseCache.areSame($0, content) }) {
            if kept.count == CompressedResponseCache.maxKept { kept.removeFirst() }
            kept.append(Kept(content: content, coding: coding, compressed: compressed))
        } else {
            if recent.count == CompressedResponseCache.maxRecent { recent.removeFirst() }
            recent.append(content)
        }
    }

    private static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }
}

import HTTPModel

/// A body stream that compresses another one. It reads from that stream only when it is read itself, so nothing is
/// compressed for a peer that reads nothing. Everything that it returns can be decoded immediately. Confined to its
/// loop.
final class CompressedBodyStream: HTTPBodyStream {
    /// The buffer for content before it is compressed: one for all streams of a loop.
    final class Room {
        var bytes: [UInt8] = []
    }

    private let content: any HTTPBodyStream
    private let coding: ContentCoding
    private let settings: ContentEncoderSettings
    private let room: Room
    /// Created with the first bytes, released with the last.
    private var encoder: ContentEncoder?
    private var isOver = false

    init(_ content: any HTTPBodyStream, _ coding: ContentCoding, _ settings: ContentEncoderSettings, _ room: Room) {
        self.content = content
        self.coding = coding
        self.settings = settings
        self.room = room
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        content.start(consumer)
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        var bytes: [UInt8] = []
        // Moved out of the room: the call below must not hold an access to a property that all streams of the loop
        // share.
        swap(&bytes, &room.bytes)
        bytes.removeAll(keepingCapacity: true)
        defer { swap(&bytes, &room.bytes) }
        let progress = content.read(into: &bytes, limit: limit)
        if case .finished = progress {
            encode(bytes, .finish, into: &buffer)
            end()
        } else if !bytes.isEmpty {
            // Flushed at every read: an event must reach the client now and not together with a later one.
            encode(bytes, .flush, into: &buffer)
        }
        return progress
    }

    var trailers: HTTPFields { content.trailers }

    func stop() {
        end()
        content.stop()
    }

    private func encode(_ bytes: [UInt8], _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8]) {
        guard !isOver else { return }
        let encoder = encoder ?? ContentEncoder(coding, settings: settings)
        self.encoder = encoder
        encoder.encode(bytes, boundary, into: &buffer)
    }

    private func end() {
        isOver = true
        encoder = nil
    }
}

import HTTPCompression
import HTTPModel

/// Content that is compressed while it is made. It asks for more of it only when it is asked itself, so that a peer that
/// takes nothing has nothing compressed for it, and all that it gives out can be decoded at once. Confined to its loop.
final class CodedBodyStream: HTTPBodyStream {
    /// Where content is read into before it is compressed: one for all streams of a loop.
    final class Room {
        var bytes: [UInt8] = []
    }

    private let content: any HTTPBodyStream
    private let coding: ContentCoding
    private let settings: ContentEncoderSettings
    private let room: Room
    /// Made with the first bytes, and let go of with the last.
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
        swap(&bytes, &room.bytes)
        bytes.removeAll(keepingCapacity: true)
        defer { swap(&bytes, &room.bytes) }
        let progress = content.read(into: &bytes, limit: limit)
        if case .finished = progress {
            encode(bytes, .finish, into: &buffer)
            end()
        } else if !bytes.isEmpty {
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

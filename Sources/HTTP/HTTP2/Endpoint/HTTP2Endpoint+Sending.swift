import CNGHTTP2
import HTTPModel

extension HTTP2Endpoint {
    /// The number of frames that sent content is credited with: the window updates that it requires.
    private static let contentWork = 2
    /// Content is not credited if the peer's windows permit fewer bytes than this. Otherwise a peer could pay for
    /// tiny window updates with the tiny frames that they permit.
    private static let smallestRoom = 256

    /// Appends frames to a buffer until there is no more output or the buffer contains about `limit` bytes. Content is
    /// read as far as the windows are open.
    public final func write(into buffer: inout [UInt8], limit: Int) {
        swap(&buffer, &output)
        outputLimit = limit
        while output.count < limit {
            resumeReady()
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session.pointer, &bytes)
            guard count >= 0 else {
                ending = ending ?? .failure
                break
            }
            if count == 0 && ready.isEmpty { break }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
        swap(&buffer, &output)
        // An idle connection must not hold buffers; a busy one reuses them within this call.
        scratch = []
        head = OutgoingHead()
        settle()
        stopAbandoned()
    }

    /// Queues a stream that has content again.
    final func streamIsReady(_ stream: OutgoingStream) {
        ready.append(stream)
        owner?.connectionHasOutput()
    }

    private func resumeReady() {
        guard !ready.isEmpty else { return }
        let resumed = ready
        ready.removeAll(keepingCapacity: true)
        for stream in resumed {
            stream.isQueued = false
            stream.isDeferred = false
            if stream.rests {
                stream.rests = false
                session.submitContent(of: stream.id)
            } else {
                session.resume(stream.id)
            }
        }
    }

    /// Credits the window updates that sent content requires.
    final func creditContent() {
        if contentRoom >= HTTP2Endpoint.smallestRoom { meter.credit(HTTP2Endpoint.contentWork) }
    }
}

// Provides content while the library produces frames.
extension HTTP2Endpoint {
    /// The content for a frame.
    enum Content {
        // With the trailers, so that a stream without any is not looked up once more.
        case bytes(Int, isLast: Bool, hasTrailers: Bool = false)
        case later
        /// Later, and the library needs nothing until then.
        case rest
    }

    /// Provides content for a frame of a stream, at most `room` bytes.
    final func readContent(of id: Int32, atMost room: Int) -> Content {
        contentRoom = room
        scratch.removeAll(keepingCapacity: true)
        guard let stream = outgoing(id) else { return .bytes(0, isLast: true) }
        if stream.offset == stream.bytes.count, let body = stream.body {
            read(body, stream, atMost: room)
            if scratch.isEmpty && stream.body != nil {
                stream.isDeferred = true
                return stream.rests ? .rest : .later
            }
            if scratch.count <= room { return bytes(scratch.count, of: stream, isLast: stream.body == nil) }
            // One element exceeds the frame: the rest goes into the next one.
            stream.bytes = scratch
            stream.offset = 0
            scratch.removeAll(keepingCapacity: true)
        }
        let count = min(room, stream.bytes.count - stream.offset)
        return bytes(count, of: stream, isLast: stream.body == nil && stream.offset + count == stream.bytes.count)
    }

    private func bytes(_ count: Int, of stream: OutgoingStream, isLast: Bool) -> Content {
        .bytes(count, isLast: isLast, hasTrailers: isLast && stream.hasTrailers)
    }

    private func read(_ body: any HTTPBodyStream, _ stream: OutgoingStream, atMost room: Int) {
        var buffer: [UInt8] = []
        swap(&buffer, &scratch)
        defer { swap(&buffer, &scratch) }
        // While it is read, the body may report that it is ready again.
        while stream.isReady, buffer.isEmpty {
            stream.isReady = false
            switch body.read(into: &buffer, limit: min(room, limits.streamReadBytes)) {
            case .more: stream.isReady = true
            case .waiting: break
            case .finished:
                stream.body = nil
                keepTrailers(of: body, for: stream)
                return
            }
        }
    }

    /// Writes a frame whose content has been read; returns whether the buffer is full.
    final func sendContent(of id: Int32, head: UnsafeRawBufferPointer, count: Int) -> Bool {
        output.append(contentsOf: head)
        guard let stream = outgoing(id) else { return true }
        if scratch.isEmpty {
            output.append(contentsOf: stream.bytes[stream.offset..<(stream.offset + count)])
            stream.offset += count
            if stream.offset == stream.bytes.count {
                stream.bytes = []
                stream.offset = 0
            }
        } else {
            output.append(contentsOf: scratch[..<count])
        }
        stream.sentCount += count
        return output.count >= outputLimit
    }
}

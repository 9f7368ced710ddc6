import CNGHTTP2
public import HTTPModel

extension HTTP2Connection {
    /// The number of frames that sent content is credited with: the window updates that it requires.
    private static let contentWork = 2
    /// Content is not credited if the client's windows permit fewer bytes than this. Otherwise a client could pay for
    /// tiny window updates with the tiny frames that they permit.
    private static let smallestRoom = 256

    /// Sends the response to a request. `date` is the value of `Date`; if empty, the field is omitted. If the stream
    /// was reset in the meantime, the response is dropped and its body stopped.
    public func respond(to id: HTTP2StreamID, with response: HTTPResponse, date: [UInt8]) {
        guard ending == nil, let stream = find(id.rawValue), case .requested = stream.stage else {
            if case .stream(let body) = response.body { body.stop() }
            return
        }
        stream.stage = .responding
        setContent(of: stream, to: response)
        head.prepare(response, isHead: stream.isHead, date: date)
        var provider = Session.makeDataProvider()
        let hasContent = stream.body != nil || !stream.bytes.isEmpty
        head.withEntries { entries, count in
            withUnsafePointer(to: &provider) { provider in
                session.check(
                    nghttp2_submit_response(session.pointer, stream.id, entries, count, hasContent ? provider : nil))
            }
        }
        stream.body?.start(stream)
    }

    private func setContent(of stream: HTTP2Stream, to response: HTTPResponse) {
        let isForbidden = stream.isHead || response.status.forbidsBody
        switch response.body {
        case .empty: break
        case .bytes(let bytes): if !isForbidden { stream.bytes = bytes }
        case .stream(let body):
            stream.sendsEvents = response.isEventStream
            if isForbidden || stream.sendsEvents && hasClientFinished { return body.stop() }
            stream.body = body
            stream.isReady = true
        }
    }

    func submitContinue(_ id: Int32) {
        head.prepare(interim: .continue)
        head.withEntries { entries, count in
            session.check(
                nghttp2_submit_headers(
                    session.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, nil, entries, count, nil))
        }
    }

    /// Appends frames to a buffer until there is no more output or the buffer contains about `limit` bytes. Content is
    /// read as far as the windows are open.
    public func write(into buffer: inout [UInt8], limit: Int) {
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
        head = ResponseHead()
        streamsChanged()
        stopAbandoned()
    }

    /// Queues a stream that has content again.
    func streamIsReady(_ stream: HTTP2Stream) {
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

    func frameWasSent(_ frame: SentFrame) {
        switch frame {
        case .fields(let id, let endsStream):
            guard let stream = find(id) else { return }
            stream.hasBegun = stream.isResponding
            if endsStream { responseEnded(on: stream) }
        case .content(let id, let endsStream):
            if contentRoom >= HTTP2Connection.smallestRoom { meter.credit(HTTP2Connection.contentWork) }
            if endsStream, let stream = find(id) { responseEnded(on: stream) }
        case .reset(let id):
            // The server's own resets are counted where the server decides on them.
            if let stream = find(id), case .dropped = stream.stage { return }
            if !resets.take() { end(.resets) }
        case .goAway(let code):
            // The library also ends a connection after invalid frames. If an ending is known already, that is the
            // cause.
            if code != .noError, code != ending?.code { ended(by: code) }
        case .other: break
        }
    }

    private func ended(by code: HTTP2ErrorCode) {
        ending = .protocolViolation(code)
        for stream in streams.values { abandon(stream) }
    }

    // A response may end before its request does: the client learns that the rest is not needed (RFC 9113 §8.1).
    private func responseEnded(on stream: HTTP2Stream) {
        if stream.hasEnded { return }
        session.reset(stream.id, .noError)
    }
}

// Provides content while the library produces frames.
extension HTTP2Connection {
    /// The content for a frame.
    enum Content {
        case bytes(Int, isLast: Bool)
        case later
        /// Later, and the library needs nothing until then.
        case rest
    }

    /// Provides content for a frame of a stream, at most `room` bytes.
    func readContent(of id: Int32, atMost room: Int) -> Content {
        contentRoom = room
        scratch.removeAll(keepingCapacity: true)
        guard let stream = find(id) else { return .bytes(0, isLast: true) }
        if stream.offset == stream.bytes.count, let body = stream.body {
            read(body, stream, atMost: room)
            if scratch.isEmpty && stream.body != nil {
                stream.isDeferred = true
                return stream.rests ? .rest : .later
            }
            if scratch.count <= room { return .bytes(scratch.count, isLast: stream.body == nil) }
            // One element exceeds the frame: the rest goes into the next one.
            stream.bytes = scratch
            stream.offset = 0
            scratch.removeAll(keepingCapacity: true)
        }
        let count = min(room, stream.bytes.count - stream.offset)
        return .bytes(count, isLast: stream.body == nil && stream.offset + count == stream.bytes.count)
    }

    private func read(_ body: any HTTPBodyStream, _ stream: HTTP2Stream, atMost room: Int) {
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
    func sendContent(of id: Int32, head: UnsafeRawBufferPointer, count: Int) -> Bool {
        output.append(contentsOf: head)
        guard let stream = find(id) else { return true }
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
        windowStall = nil
        return output.count >= outputLimit
    }
}

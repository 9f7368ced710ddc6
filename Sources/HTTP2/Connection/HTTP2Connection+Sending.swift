import CNGHTTP2
public import HTTPModel

// From answers to bytes.
extension HTTP2Connection {
    /// What a frame of content gives back: the window updates that it calls for.
    private static let contentWork = 2
    /// Content for which the client leaves less room than this gives nothing back: otherwise a window that drips would be
    /// paid for by what drips out of it.
    private static let smallestRoom = 256

    /// Answers a request. `date` is the value of `Date`, left out where it is empty. An answer to a stream that has been
    /// reset meanwhile is dropped, and its body stopped.
    public func respond(to id: HTTP2StreamID, with response: HTTPResponse, date: [UInt8]) {
        guard ending == nil, let stream = find(id.rawValue), case .asked = stream.stage else {
            if case .stream(let body) = response.body { body.stop() }
            return
        }
        stream.stage = .answering
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

    /// Appends what is to be sent, frame behind frame, until there is nothing more or the buffer holds about `limit` bytes.
    /// Content is read meanwhile, as far as the windows are open.
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
        // An idle connection holds no buffers; a busy one gets them back for many answers at a time.
        scratch = []
        head = ResponseHead()
        streamsChanged()
        tellAbandoned()
    }

    /// A stream has content again.
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
            session.resume(stream.id)
        }
    }

    func frameWasSent(_ frame: SentFrame) {
        switch frame {
        case .fields(let id, let endsStream):
            guard let stream = find(id) else { return }
            stream.hasBegun = stream.isAnswering
            if endsStream { answerEnded(on: stream) }
        case .content(let id, let endsStream):
            if contentRoom >= HTTP2Connection.smallestRoom { meter.worked(HTTP2Connection.contentWork) }
            if endsStream, let stream = find(id) { answerEnded(on: stream) }
        case .reset(let id):
            // Those of our own are counted when they are decided on.
            if let stream = find(id), case .dropped = stream.stage { return }
            if !resets.take() { end(.resets) }
        case .goAway(let code):
            // The library ends a connection too where frames are wrong, and what was found first is what is told.
            if code != .noError, code != ending?.code { ended(by: code) }
        case .other: break
        }
    }

    private func ended(by code: HTTP2ErrorCode) {
        ending = .protocolViolation(code)
        for stream in streams.values { abandon(stream) }
    }

    /// An answer may be over before its request is: the client is told that the rest is not wanted (RFC 9113 §8.1).
    private func answerEnded(on stream: HTTP2Stream) {
        if stream.hasEnded { return }
        session.reset(stream.id, .noError)
    }
}

// Content, while frames are made.
extension HTTP2Connection {
    /// What there is for a frame.
    enum Content {
        case bytes(Int, isLast: Bool)
        case later
    }

    /// Sees what a stream has to send, at most so much.
    func readContent(of id: Int32, atMost room: Int) -> Content {
        contentRoom = room
        scratch.removeAll(keepingCapacity: true)
        guard let stream = find(id) else { return .bytes(0, isLast: true) }
        if stream.offset == stream.bytes.count, let body = stream.body {
            read(body, stream, atMost: room)
            if scratch.isEmpty && stream.body != nil {
                stream.isDeferred = true
                return .later
            }
            if scratch.count <= room { return .bytes(scratch.count, isLast: stream.body == nil) }
            // One element was larger than the frame: the rest goes into the next.
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
        // It may say while it is read that there is something again.
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

    /// Writes a frame whose content has been read; answers whether the buffer is full.
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

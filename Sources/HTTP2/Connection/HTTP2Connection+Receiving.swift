import CNGHTTP2
public import HTTPModel

// From bytes to requests.
extension HTTP2Connection {
    /// Bytes that are looked at before they are worked on: little enough that work is credited between two looks.
    private static let slice = 8 << 10
    /// Data frames with less in them are held to be no work.
    private static let smallestWork = 32
    /// What a whole request gives back: its own frames, and those that go with an answer.
    private static let requestWork = 6
    /// What a refused request takes beside its frames: it gets an answer, but it is none that one works for.
    private static let refusalCost = 10

    /// Takes what the client sent, all of it. Afterwards there may be events and output, or the connection may have ended.
    public func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime) {
        _ = receive(bytes, now: now, frameLimit: .max)
    }

    /// Takes what the client sent, up to a number of frames. Afterwards there may be events and output, or the connection may
    /// have ended.
    ///
    /// - Parameters:
    ///   - bytes: What the client sent, behind what was taken before.
    ///   - now: The present time.
    ///   - frameLimit: The number of frames after which the rest is left, so that a client that sends many small requests
    ///     does not hold up others. Content that does not end its stream is not counted.
    /// - Returns: The number of bytes that were taken. The others have to be passed again; there are none if the connection
    ///   has ended.
    public func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime, frameLimit: Int) -> Int {
        time = now
        meter.framesLeft = frameLimit
        isAtRest = false
        resets.refill(now: now)
        var offset = 0
        while offset < bytes.count, ending == nil, meter.framesLeft > 0 {
            let end = min(bytes.count, offset + HTTP2Connection.slice)
            let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            let (count, flood) = meter.measure(slice, now: now) { id in
                history.contentBegins(on: id, isOpen: find(id) != nil)
            }
            take(UnsafeRawBufferPointer(rebasing: slice[..<count]))
            if let flood { self.end(flood) }
            if session.queuedFrames > limits.queuedFrames { self.end(.queuedFrames) }
            offset += count
        }
        streamsChanged()
        tellAbandoned()
        return ending == nil ? offset : bytes.count
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let taken = nghttp2_session_mem_recv(
            session.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard taken < 0 else { return }
        switch Int32(taken) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: end(.preface)
        case NGHTTP2_ERR_FLOODED.rawValue: end(.queuedFrames)
        default: end(.failure)
        }
    }

    func fieldsBegin(on id: Int32, isRequest: Bool) {
        guard ending == nil else { return }
        if isRequest {
            history.streamOpened()
            openStream(HTTP2Stream(id: id, connection: self, incoming: IncomingRequest()))
        } else {
            find(id)?.incoming?.head.beginTrailers()
        }
    }

    func fieldCame(on id: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard ending == nil, let incoming = find(id)?.incoming else { return }
        if let flood = incoming.head.take(name, value, limits: limits) { end(flood) }
    }

    func contentCame(on id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard ending == nil, let stream = find(id), let incoming = stream.incoming else {
            // Nobody wants it: the stream gets no more room, the others do.
            return session.check(nghttp2_session_consume_connection(session.pointer, bytes.count))
        }
        if bytes.count >= HTTP2Connection.smallestWork { meter.worked(1) }
        session.check(nghttp2_session_consume(session.pointer, id, bytes.count))
        let count = incoming.body.count + bytes.count
        if let length = incoming.head.contentLength, count > length { return reject(stream, .bodyLength) }
        if count > limits.bodyBytes { return refuse(stream, .bodyTooLarge) }
        if takeRoom(bytes.count, for: incoming) {
            incoming.body.append(contentsOf: bytes)
        } else {
            reset(stream, .refusedStream)
        }
    }

    /// Counts bytes among those of requests that are not whole; answers whether there is room for them.
    private func takeRoom(_ bytes: Int, for incoming: IncomingRequest) -> Bool {
        guard unfinishedBytes + bytes <= limits.unfinishedBodyBytes else { return false }
        unfinishedBytes += bytes
        incoming.countedBytes += bytes
        return true
    }

    func frameCame(_ frame: ReceivedFrame) {
        guard ending == nil else { return }
        switch frame {
        case .fields(let id, let isRequest, let endsStream):
            if let stream = find(id) { fieldsEnded(on: stream, isRequest: isRequest, endsStream: endsStream) }
        case .content(let id, let endsStream):
            guard endsStream, let stream = find(id) else { return }
            stream.hasEnded = true
            complete(stream)
        case .reset(let id):
            // Whoever has waited for an answer has not been working us for nothing.
            guard let stream = find(id) else { return }
            stream.hasEnded = true
            if !stream.hasBegun, !resets.take() { end(.resets) }
        case .settings:
            lifetime.settingsCame(now: time)
            settingsWereApplied()
        case .pingAnswer: if lifetime.noticeWasHeard(now: time) { session.submitLastStream() }
        case .goAway(let code): events.append(.goAway(code))
        case .other: break
        }
    }

    private func fieldsEnded(on stream: HTTP2Stream, isRequest: Bool, endsStream: Bool) {
        if endsStream { stream.hasEnded = true }
        guard let incoming = stream.incoming else { return }
        if isRequest {
            session.shareByTurns(stream.id)
            incoming.head.finish(endsStream: endsStream, limits: limits)
            stream.isHead = incoming.head.method == .head
            stream.takesTrailers = incoming.head.takesTrailers
        } else if !endsStream {
            incoming.head.fail(.trailersWithoutEnd)
        }
        if let error = incoming.head.error { return reject(stream, error) }
        if let refusal = incoming.head.refusal { return refuse(stream, refusal) }
        if endsStream { return complete(stream) }
        guard isRequest else { return }
        // A head that waits for its body may be large, however small it was on the wire.
        guard takeRoom(incoming.head.byteCount, for: incoming) else { return reset(stream, .refusedStream) }
        bodyBegins(incoming)
        if incoming.head.expectsContinue { submitContinue(stream.id) }
    }

    private func complete(_ stream: HTTP2Stream) {
        guard let incoming = stream.incoming else { return }
        if let length = incoming.head.contentLength, length != incoming.body.count {
            return reject(stream, .bodyLength)
        }
        unfinishedBytes -= incoming.countedBytes
        stream.stage = .asked
        meter.worked(HTTP2Connection.requestWork)
        let request = incoming.head.request(body: incoming.body, scheme: scheme, peer: peer)
        events.append(.request(HTTP2StreamID(rawValue: stream.id), request))
    }

    /// A malformed request: its stream ends, and there is no answer.
    private func reject(_ stream: HTTP2Stream, _ error: HTTP2MessageError) {
        reset(stream, .protocolError)
        events.append(.malformed(HTTP2StreamID(rawValue: stream.id), error))
    }

    /// Ends a stream because of what the client did on it, or did not do.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        abandon(stream)
        session.reset(stream.id, code)
        if !resets.take() { end(.resets) }
    }

    /// A request that is answered with a problem, whatever more of it comes.
    func refuse(_ stream: HTTP2Stream, _ refusal: HTTP2Refusal) {
        if !meter.wasted(HTTP2Connection.refusalCost) { return end(.worklessFrames) }
        abandon(stream)
        stream.stage = .asked
        events.append(.refusal(HTTP2StreamID(rawValue: stream.id), refusal))
    }

    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = removeStream(id) else { return }
        if !stream.hasEnded { history.excuse(id) }
        let isUnanswered: Bool
        switch stream.stage {
        case .asked: isUnanswered = stream.isKnown
        case .answering: isUnanswered = stream.body != nil || stream.offset < stream.bytes.count
        case .receiving, .dropped: isUnanswered = false
        }
        abandon(stream)
        if isUnanswered { events.append(.reset(HTTP2StreamID(rawValue: id), code)) }
    }
}

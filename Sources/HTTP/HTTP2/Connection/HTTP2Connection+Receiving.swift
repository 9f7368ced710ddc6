import CNGHTTP2
public import HTTPModel

extension HTTP2Connection {
    /// The number of bytes that are measured before they are processed: few enough that completed work is credited
    /// before the next measurement.
    private static let slice = 8 << 10
    /// Data frames with fewer bytes do not count as work.
    private static let smallestWork = 32
    /// The number of frames that a complete request is credited with: its own, and those that belong to its response.
    private static let requestWork = 6
    /// The cost of a refused request in addition to its frames. It gets a response, but that is not work worth
    /// crediting.
    private static let refusalCost = 10

    /// Processes all bytes that the client has sent. Afterwards there may be events and output, or the connection may
    /// have ended.
    public func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime) {
        _ = receive(bytes, now: now, frameLimit: .max)
    }

    /// Processes bytes that the client has sent, up to a number of frames. Afterwards there may be events and output,
    /// or the connection may have ended.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that follow the ones already processed.
    ///   - now: The current time.
    ///   - frameLimit: The number of frames after which the rest is left unprocessed, so that a client with many small
    ///     requests does not delay others. Content that does not end its stream is not counted.
    /// - Returns: The number of processed bytes. Pass the others again. If the connection has ended, all bytes count as
    ///   processed.
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
                // The library silently drops content on closed streams and refills the window for it, so such content
                // has to be detected here.
                history.contentBegins(on: id, isOpen: find(id) != nil)
            }
            take(UnsafeRawBufferPointer(rebasing: slice[..<count]))
            if let flood { self.end(flood) }
            if session.queuedFrames > limits.queuedFrames { self.end(.queuedFrames) }
            offset += count
        }
        streamsChanged()
        stopAbandoned()
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

    func fieldReceived(on id: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard ending == nil, let incoming = find(id)?.incoming else { return }
        if let flood = incoming.head.take(name, value, limits: limits) { end(flood) }
    }

    func contentReceived(on id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard ending == nil, let stream = find(id), let incoming = stream.incoming else {
            // Unwanted content: only the window of the connection is opened again, not the window of the stream.
            return session.check(nghttp2_session_consume_connection(session.pointer, bytes.count))
        }
        if bytes.count >= HTTP2Connection.smallestWork { meter.credit(1) }
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

    /// Counts bytes of incomplete requests; returns whether there is room for them.
    private func takeRoom(_ bytes: Int, for incoming: IncomingRequest) -> Bool {
        guard unfinishedBytes + bytes <= limits.unfinishedBodyBytes else { return false }
        unfinishedBytes += bytes
        incoming.countedBytes += bytes
        return true
    }

    func frameReceived(_ frame: ReceivedFrame) {
        guard ending == nil else { return }
        switch frame {
        case .fields(let id, let isRequest, let endsStream):
            if let stream = find(id) { fieldsEnded(on: stream, isRequest: isRequest, endsStream: endsStream) }
        case .content(let id, let endsStream):
            guard endsStream, let stream = find(id) else { return }
            stream.hasEnded = true
            complete(stream)
        case .reset(let id):
            // A client that cancels a response in progress has made proper use of the stream. A client that resets it
            // before the response has caused useless work (CVE-2023-44487).
            guard let stream = find(id) else { return }
            stream.hasEnded = true
            if !stream.hasBegun, !resets.take() { end(.resets) }
        case .settings:
            lifetime.settingsReceived(now: time)
            settingsWereApplied()
        case .pingAcknowledged: if lifetime.noticeWasAcknowledged(now: time) { session.submitLastStream() }
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
        // A compressed head can be small on the wire but large in memory, where it is stored until its body is
        // complete.
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
        stream.stage = .requested
        meter.credit(HTTP2Connection.requestWork)
        var body: [UInt8] = []
        swap(&body, &incoming.body)
        let request = incoming.head.takeRequest(body: body, scheme: scheme, peer: peer)
        events.append(.request(HTTP2StreamID(rawValue: stream.id), request))
    }

    /// Rejects a malformed request: its stream is reset without a response.
    private func reject(_ stream: HTTP2Stream, _ error: HTTP2MessageError) {
        reset(stream, .protocolError)
        events.append(.malformed(HTTP2StreamID(rawValue: stream.id), error))
    }

    /// Resets a stream because of something that the client did or failed to do.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        abandon(stream)
        session.reset(stream.id, code)
        if !resets.take() { end(.resets) }
    }

    /// Responds to a request with a problem, regardless of the rest of its body.
    func refuse(_ stream: HTTP2Stream, _ refusal: HTTP2Refusal) {
        if !meter.charge(HTTP2Connection.refusalCost) { return end(.worklessFrames) }
        let fields = stream.incoming?.head.fields ?? HTTPFields()
        abandon(stream)
        stream.stage = .requested
        events.append(.refusal(HTTP2StreamID(rawValue: stream.id), refusal, fields))
    }

    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = removeStream(id) else { return }
        if !stream.hasEnded { history.excuse(id) }
        let isUnanswered: Bool
        switch stream.stage {
        case .requested: isUnanswered = stream.wasDelivered
        case .responding: isUnanswered = stream.body != nil || stream.offset < stream.bytes.count
        case .receiving, .dropped: isUnanswered = false
        }
        abandon(stream)
        if isUnanswered { events.append(.reset(HTTP2StreamID(rawValue: id), code)) }
    }
}

import HTTPModel

extension HTTP2Connection {
    /// The number of frames that a complete request is credited with: its own, and those that belong to its response.
    private static let requestWork = 6
    /// The cost of a refused request in addition to its frames. It gets a response, but that is not work worth
    /// crediting.
    private static let refusalCost = 10

    /// Counts bytes of incomplete requests; returns whether there is room for them.
    func takeRoom(_ bytes: Int, for incoming: IncomingRequest) -> Bool {
        guard unfinishedBytes + bytes <= limits.unfinishedBodyBytes else { return false }
        unfinishedBytes += bytes
        incoming.countedBytes += bytes
        return true
    }

    func fieldsEnded(on stream: HTTP2Stream, isRequest: Bool, endsStream: Bool) {
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

    func complete(_ stream: HTTP2Stream) {
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
    func reject(_ stream: HTTP2Stream, _ error: HTTP2MessageError) {
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
}

import Access
import HTTPModel

// The outputs of a session in the form of the Durable Streams protocol: another representation of `/v1/sessions/{id}/outputs`, for reading.
extension SessionShard {
    /// `GET /v1/sessions/{id}/stream`.
    func readDurably(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID
    ) throws(ProblemDetails) -> HTTPAnswer {
        loop.assertCurrent()
        if context.session == nil, let end = try knownEnd(of: id, to: context.requester) {
            context.wait(for: sessions.unstoredEnd(of: id))
            return .response(response(toEnd: end.reason, try DurableRequest(request), request))
        }
        let session = try streamedSession(id, &context)
        let wanted = try DurableRequest(request)
        let view = visibleOutputs(of: session, to: context.requester)
        let filter = try filter(try parameter("only", of: request), session.machineKind, view)
        let tail = session.position(session.releasedVersion, for: filter)
        let position = wanted.offset == "now" ? tail : wanted.position
        try requireAccepted(wanted.live == .events ? "text/event-stream" : "application/json", by: request)
        let stream = try makeStream(
            of: session, filter, after: position.map { Array($0.text.utf8) } ?? [], request, context)
        guard wanted.live == .events else {
            let waiting = PendingRequest(request, context, resumingAt: .perform)
            DurableRead(stream, for: wanted, waiting, in: self).start()
            return .deferred(waiting.promise)
        }
        let body = DurableStream(stream, from: position ?? tail, cursor: wanted.nextCursor(at: host.wallClock()))
        return .response(HTTPResponse(status: .ok, fields: .eventStream, body: .stream(body)))
    }

    /// `HEAD /v1/sessions/{id}/stream`: the position after the last message.
    func describeStream(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID
    ) throws(ProblemDetails) -> HTTPResponse {
        let session = try authorize(.read, on: id, &context)
        let view = visibleOutputs(of: session, to: context.requester)
        let filter = try filter(try parameter("only", of: request), session.machineKind, view)
        var fields = jsonFields
        fields.append(.streamNextOffset, session.position(session.releasedVersion, for: filter).offsetField)
        return HTTPResponse(status: .ok, fields: fields)
    }

    /// Returns the response to a read.
    ///
    /// - Parameters:
    ///   - wanted: What the client has requested.
    ///   - request: The request.
    ///   - position: The position after the last message of the response.
    ///   - isUpToDate: Whether no other message exists.
    ///   - isClosed: Whether the session has ended.
    ///   - messages: The messages; nil if there are none.
    func response(
        to wanted: DurableRequest, _ request: HTTPRequest, at position: StreamPosition, isUpToDate: Bool,
        isClosed: Bool, _ messages: HTTPResponseBody?
    ) -> HTTPResponse {
        var fields: HTTPFields = [.cacheControl: "no-store"]
        fields.append(.streamNextOffset, position.offsetField)
        if isUpToDate { fields.append(.streamUpToDate, "true") }
        if isClosed {
            fields.append(.streamClosed, "true")
        } else {
            fields.append(.streamCursor, HTTPFieldValue(Int(wanted.nextCursor(at: host.wallClock()))))
        }
        guard messages != nil || wanted.live == nil else { return HTTPResponse(status: .noContent, fields: fields) }
        // The same request gets other messages later.
        if wanted.offset != "now" {
            let tag = "\(wanted.offset):\(position.offset)\(isClosed ? ":closed" : "")"
            fields.append(.eTag, HTTPFieldValue("\"\(tag)\"") ?? "\"\"")
            if wanted.live == nil, let value = request.fields.list(.ifNoneMatch),
                EntityTags(value)?.matchesWeakly([tag]) == true
            {
                return HTTPResponse(status: .notModified, fields: fields)
            }
        }
        fields.append(.contentType, "application/json")
        return HTTPResponse(status: .ok, fields: fields, body: messages ?? .bytes(Array("[]".utf8)))
    }

    /// Returns the response to a read of a session that has ended: nothing follows what the client has read. What it has not read no longer
    /// exists.
    func response(toEnd reason: EndReason?, _ wanted: DurableRequest, _ request: HTTPRequest) -> HTTPResponse {
        guard let position = wanted.position else { return ProblemDetails.sessionEnded(reason).response }
        guard wanted.live == .events else {
            return response(to: wanted, request, at: position, isUpToDate: true, isClosed: true, nil)
        }
        var body: [UInt8] = []
        DurableStream.appendControl(position, cursor: nil, isUpToDate: true, to: &body)
        return HTTPResponse(status: .ok, fields: .eventStream, body: .bytes(body))
    }
}

// The fields of the protocol.
extension HTTPFieldName {
    static let streamNextOffset: HTTPFieldName = "stream-next-offset"
    static let streamUpToDate: HTTPFieldName = "stream-up-to-date"
    static let streamCursor: HTTPFieldName = "stream-cursor"
    static let streamClosed: HTTPFieldName = "stream-closed"
}

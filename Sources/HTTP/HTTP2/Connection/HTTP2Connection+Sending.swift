import CNGHTTP2
public import HTTPModel

extension HTTP2Connection {
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

    // A response may end before its request does: the client learns that the rest is not needed (RFC 9113 §8.1).
    func responseEnded(on stream: HTTP2Stream) {
        if stream.hasEnded { return }
        session.reset(stream.id, .noError)
    }
}

import CNGHTTP2
import HTTPModel

// Trailer fields of responses (RFC 9113 §8.1).
extension HTTP2Connection {
    /// Stores the trailers of a finished body, if the client accepts them.
    func keepTrailers(of body: any HTTPBodyStream, for stream: HTTP2Stream) {
        guard stream.takesTrailers else { return }
        let trailers = body.trailers
        if !trailers.isEmpty { stream.trailers = trailers }
    }

    /// Submits trailers when the last content is about to be sent; returns whether there are any, since they then end
    /// the stream.
    func submitTrailers(of id: Int32) -> Bool {
        guard let stream = find(id), let trailers = stream.trailers else { return false }
        stream.trailers = nil
        var head = ResponseHead()
        guard head.prepare(trailers: trailers) else { return false }
        head.withEntries { entries, count in
            session.check(nghttp2_submit_trailer(session.pointer, id, entries, count))
        }
        return true
    }
}

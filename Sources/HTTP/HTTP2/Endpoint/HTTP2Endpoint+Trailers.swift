import CNGHTTP2
import HTTPModel

// Trailer fields (RFC 9113 §8.1).
extension HTTP2Endpoint {
    /// Stores the trailers of a finished body, if the peer accepts them.
    final func keepTrailers(of body: any HTTPBodyStream, for stream: OutgoingStream) {
        guard stream.takesTrailers else { return }
        let trailers = body.trailers
        if !trailers.isEmpty { stream.trailers = trailers }
    }

    /// Submits trailers when the last content is about to be sent; returns whether there are any, since they then end
    /// the stream.
    final func submitTrailers(of id: Int32) -> Bool {
        guard let stream = outgoing(id), let trailers = stream.trailers else { return false }
        stream.trailers = nil
        var head = OutgoingHead()
        guard head.prepare(trailers: trailers) else { return false }
        head.withEntries { entries, count in
            session.check(nghttp2_submit_trailer(session.pointer, id, entries, count))
        }
        return true
    }
}

import CNGHTTP2
import HTTPModel

// Fields behind an answer's content (RFC 9113 §8.1).
extension HTTP2Connection {
    /// A body has come to its end: keeps what it says behind it, if the client takes that.
    func keepTrailers(of body: any HTTPBodyStream, for stream: HTTP2Stream) {
        guard stream.takesTrailers else { return }
        let trailers = body.trailers
        if !trailers.isEmpty { stream.trailers = trailers }
    }

    /// The last of the content is about to be sent; answers whether something comes behind it, which ends the stream.
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

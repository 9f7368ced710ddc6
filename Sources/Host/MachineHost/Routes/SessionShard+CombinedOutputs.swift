import Access
import HTTPModel

extension SessionShard {
    /// `GET /v1/outputs?session=A&session=B`: one event stream for several sessions, which may belong to different loops.
    func openCombinedStream(
        _ request: HTTPRequest, from requester: Requester
    ) throws(ProblemDetails) -> HTTPResponse {
        let combined = try CombinedRequest(request, from: requester, after: lastEventID(of: request))
        guard MediaPreference(request.fields.list(.accept)).quality(of: "text/event-stream") > 0 else {
            throw .notAcceptable(offered: "text/event-stream")
        }
        // The sessions are not looked up: the client itself has received their ends.
        guard !combined.hasEnded else { return HTTPResponse(status: .noContent) }
        guard request.method == .get else { return HTTPResponse(status: .ok, fields: .eventStream) }
        let share = try reserveStream(for: request, from: requester)
        let stream = CombinedStream(combined, in: self, endsAt: tick + jitteredLifetime, share: share)
        return HTTPResponse(status: .ok, fields: .eventStream, body: .stream(stream))
    }
}

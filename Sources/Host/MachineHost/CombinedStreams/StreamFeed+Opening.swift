import Access
import HTTPModel

/// The stream of a session that is being opened for a part of a combined stream.
// A class, so that other requests hold a nil reference only.
final class FeedOpening {
    /// The part of the combined stream that gets the stream, and the stream's place in it.
    let feed: StreamFeed
    let slot: Int
    let member: CombinedRequest.Member
    /// The id of the last event that the client has received; empty if none exists.
    let lastEventID: [UInt8]

    init(_ member: CombinedRequest.Member, for feed: StreamFeed, at slot: Int, after lastEventID: [UInt8]) {
        (self.member, self.feed, self.slot, self.lastEventID) = (member, feed, slot, lastEventID)
    }
}

// The beginning of a feed.
extension StreamFeed {
    /// Opens the streams of sessions. A session may have to be loaded, or its stream to be refused.
    ///
    /// - Parameters:
    ///   - members: The sessions.
    ///   - request: The request of the client.
    ///   - shard: The shard of the loop; nil if it no longer exists.
    func open(_ members: [CombinedRequest.Member], of request: CombinedRequest, in shard: SessionShard?) {
        guard let shard else { return refuse(members) }
        for (slot, member) in members.enumerated() {
            let opening = FeedOpening(member, for: self, at: slot, after: request.lastEventID)
            // The request was authenticated on the loop of its connection.
            shard.open(opening, for: request.request, from: request.requester)
        }
    }

    /// Refuses the streams of all sessions, because their loop does not serve requests.
    func refuse(_ members: [CombinedRequest.Member]) {
        for slot in members.indices { add(nil, orEnd: StreamFeed.streamEnd, at: slot) }
    }

    /// The end of a stream after which its client reconnects.
    // The reconnection time marks it, as on a single stream.
    static let streamEnd = Array("retry: 0\nevent: end\ndata: {}\n\n".utf8)
}

extension FeedOpening {
    /// Whether the combined stream still reads.
    var isAwaited: Bool { feed.isAwaited }

    /// Adds the stream, unless the client has left.
    func succeed(_ stream: SessionStream) {
        guard isAwaited else { return stream.stop() }
        feed.add(stream, orEnd: [], at: slot)
    }

    /// Refuses the stream for a reason that the client learns.
    func refuse(_ reason: EndReason) {
        var event: [UInt8] = []
        reason.appendMemberEvent(to: &event)
        feed.add(nil, orEnd: event, at: slot)
    }

    /// Ends the stream, so that the client reconnects to the process that continues the session.
    func end() {
        feed.add(nil, orEnd: StreamFeed.streamEnd, at: slot)
    }
}

// The streams of a loop's sessions in combined streams.
extension SessionShard {
    /// Opens a stream for a part of a combined stream.
    fileprivate func open(_ opening: FeedOpening, for request: HTTPRequest, from requester: Requester) {
        var context = RequestContext(.outputs(opening.member.id), isGuarded: false, from: requester)
        context.opening = opening
        open(opening, for: request, &context, from: .pause)
    }

    /// Takes the opening of a stream through the stages of a request, beginning with one.
    func open(
        _ opening: FeedOpening, for request: HTTPRequest, _ context: inout RequestContext, from first: RequestStage
    ) {
        loop.assertCurrent()
        let id = opening.member.id
        do throws(ProblemDetails) {
            guard try prepare(request, &context, from: first) == nil else { return }
            opening.succeed(try openStream(opening, request, &context))
        } catch {
            // A client must not learn of an end that could still be lost.
            if let journal, sessions.unstoredEnd(of: id) > journal.stored {
                wait(PendingRequest(request, context, resumingAt: .perform), for: .commit)
            } else {
                refuse(opening, error)
            }
        }
    }

    private func openStream(
        _ opening: FeedOpening, _ request: HTTPRequest, _ context: inout RequestContext
    ) throws(ProblemDetails) -> SessionStream {
        let session = try streamedSession(opening.member.id, &context)
        let view = visibleOutputs(of: session, to: context.requester)
        let filter = try filter(opening.member.only, session.machineKind, view)
        return try makeStream(of: session, filter, after: opening.lastEventID, request, context)
    }

    func refuse(_ opening: FeedOpening, _ problem: ProblemDetails) {
        switch problem.status {
        case .gone: opening.refuse(sessions.ending(of: opening.member.id)?.reason ?? .unknown)
        case .notFound: opening.refuse(.unknown)
        case .unauthorized, .forbidden: opening.refuse(.unauthorized)
        default: opening.refuse(.busy)
        }
    }
}

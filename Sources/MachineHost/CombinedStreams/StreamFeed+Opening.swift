import HTTPModel

// The beginning of a feed.
extension StreamFeed {
    /// Opens the streams of sessions, each by a request of its own: a session may have to be loaded, or its stream to be refused.
    ///
    /// - Parameters:
    ///   - members: The sessions.
    ///   - request: The request of the client.
    ///   - shard: The shard of the loop; nil if it no longer exists.
    func open(_ members: [CombinedRequest.Member], of request: CombinedRequest, in shard: SessionShard?) {
        guard let shard else { return refuse(members) }
        let reference = shard.backReference
        let text = shard.makeMemberKey()
        key = (text, reference)
        var deferred: [(slot: Int, promise: DeferredResponse)] = []
        for (slot, member) in members.enumerated() {
            // The request was authenticated on the loop of its connection.
            switch shard.respond(to: request.request(for: member, key: text), from: request.requester) {
            case .response(let response): take(response, for: member.id, at: slot, shard)
            case .deferred(let promise): deferred.append((slot, promise))
            }
        }
        var pending = deferred.count
        if pending == 0 { removeKey() }
        for (slot, promise) in deferred {
            promise.whenFulfilled(for: self) { response in
                pending -= 1
                if pending == 0 { self.removeKey() }
                self.take(response, for: members[slot].id, at: slot, reference.shard)
            }
        }
    }

    /// Makes the key invalid.
    func removeKey() {
        guard let (text, reference) = key else { return }
        key = nil
        reference.shard?.memberKeys.remove(text)
    }

    /// Refuses the streams of all sessions, because their loop does not serve requests.
    func refuse(_ members: [CombinedRequest.Member]) {
        for slot in members.indices { add(nil, orEnd: StreamFeed.streamEnd, at: slot) }
    }

    private func take(_ response: HTTPResponse, for id: SessionID, at slot: Int, _ shard: SessionShard?) {
        guard case .stream(let body) = response.body, let stream = body as? SessionStream else {
            return add(nil, orEnd: StreamFeed.end(response, of: id, shard), at: slot)
        }
        guard awaitsResponse else { return stream.stop() }
        add(stream, orEnd: [], at: slot)
    }

    /// The end of a stream after which its client reconnects.
    // The reconnection time marks it, as on a single stream.
    private static let streamEnd = Array("retry: 0\nevent: end\ndata: {}\n\n".utf8)

    /// Returns the event that stands for the refusal of a stream.
    private static func end(_ response: HTTPResponse, of id: SessionID, _ shard: SessionShard?) -> [UInt8] {
        let reason: EndReason
        switch response.status {
        // Another process continues the sessions.
        case .ok: return streamEnd
        case .noContent, .gone: reason = shard?.ended.ending(of: id)?.reason ?? .unknown
        case .notFound: reason = .unknown
        case .unauthorized, .forbidden: reason = .unauthorized
        default: reason = .busy
        }
        var event: [UInt8] = []
        reason.appendMemberEvent(to: &event)
        return event
    }
}

// The requests by which feeds open the streams of their sessions.
extension SessionShard {
    /// The query parameter with the key of a feed.
    static let memberKeyName = "member"

    /// Returns a new key that no client can guess.
    fileprivate func makeMemberKey() -> String {
        let key = SessionID.random(onLoop: 0, of: 1).text
        memberKeys.insert(key)
        return key
    }

    /// Returns whether a request was made by a feed.
    func isOfMember(_ request: HTTPRequest) -> Bool {
        // Most loops open no combined stream at the moment.
        guard !memberKeys.isEmpty, let key = request.queryValue(SessionShard.memberKeyName) else { return false }
        return memberKeys.contains(key)
    }
}

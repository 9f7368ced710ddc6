import Access
import HTTPModel

/// What is known of a request while a response is found. Created when who the request comes from is known, and passed down to everything
/// that is done for it.
struct RequestContext {
    /// Who the request comes from.
    var requester: Requester
    /// The number of the change on which the response depends; 0 if it depends on none.
    private(set) var sequence: UInt64 = 0
    /// The answer, if another part of the server gives it.
    var laterAnswer: HTTPAnswer?

    /// The session of the request, if it was loaded without its machine.
    let asleep: SleepingSession?

    /// Creates the context of a request.
    init(_ requester: Requester, asleep: SleepingSession? = nil) {
        (self.requester, self.asleep) = (requester, asleep)
    }

    /// Returns the session with an id, if it was loaded without its machine.
    func sleeping(_ id: SessionID) -> Session? {
        guard let asleep, asleep.session.id == id else { return nil }
        return asleep.session
    }

    /// Has the response wait until a change is stored.
    mutating func wait(for sequence: UInt64) {
        self.sequence = max(self.sequence, sequence)
    }
}

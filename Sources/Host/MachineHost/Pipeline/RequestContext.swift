import Access
import HTTPModel

/// The information about a request. Created once, when the request arrives, and passed from stage to stage.
struct RequestContext {
    /// The resource that the target names.
    let route: Route
    /// Whether access control applies, so that the response has the fields of its policy.
    let isGuarded: Bool
    /// The requester: a principal, the holder of a ticket, or a client without credentials.
    var requester: Requester
    /// The rate that the request was counted for; nil if it is not limited.
    var rate: RateTable.Result?
    /// The session that the route names; nil if it is not in memory, or the requester may not know of it.
    var session: Session?
    private var extras: Extras?
    /// The number of the change on which the response depends; 0 if it depends on none.
    private(set) var sequence: UInt64 = 0
    /// The promise of the response; nil until the request has to wait.
    private(set) var promise: DeferredResponse?

    /// The place of the request among those of its loop that have waited; 0 until it has to wait.
    var arrival: UInt64 = 0

    /// Creates the context of a request that has arrived, from a requester if access control does not apply.
    init(_ route: Route, isGuarded: Bool, from requester: Requester = .anonymous) {
        (self.route, self.isGuarded, self.requester) = (route, isGuarded, requester)
    }

    /// Delays the response until a change is stored.
    mutating func wait(for sequence: UInt64) {
        self.sequence = max(self.sequence, sequence)
    }

    /// Returns the promise of the response.
    mutating func promised() -> DeferredResponse {
        if let promise { return promise }
        let made = DeferredResponse()
        promise = made
        return made
    }
}

// What few requests have.
extension RequestContext {
    // An immutable object: each of these references in the context itself would cost every request a release, and a context is a value.
    private final class Extras {
        struct Values {
            var cookie: HTTPFieldValue?
            var asleep: SleepingSession?
            var requested: RequestedSession?
            var opening: FeedOpening?
        }

        let values: Values

        init(_ values: Values) { self.values = values }
    }

    /// The renewed cookie of the requester, for the response to a new session; nil if it is not renewed.
    var cookie: HTTPFieldValue? {
        get { extras?.values.cookie }
        set { change(isNeeded: newValue != nil) { $0.cookie = newValue } }
    }

    /// The session that the route names, if it was loaded without its machine.
    var asleep: SleepingSession? {
        get { extras?.values.asleep }
        set { change(isNeeded: newValue != nil) { $0.asleep = newValue } }
    }

    /// The new session that the request states; nil for other requests.
    var requested: RequestedSession? {
        get { extras?.values.requested }
        set { change(isNeeded: newValue != nil) { $0.requested = newValue } }
    }

    /// The stream that is opened for a part of a combined stream, and takes the place of a response; nil for other requests.
    var opening: FeedOpening? {
        get { extras?.values.opening }
        set { change(isNeeded: newValue != nil) { $0.opening = newValue } }
    }

    private mutating func change(isNeeded: Bool, _ change: (inout Extras.Values) -> Void) {
        guard isNeeded || extras != nil else { return }
        var values = extras?.values ?? Extras.Values()
        change(&values)
        extras = Extras(values)
    }
}

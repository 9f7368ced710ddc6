public import Locking

/// What the holder of a subscription, or the link itself, can tell a link.
@usableFromInline
@frozen
enum Command {
    case request(Subscribers.Demand)
    case cancel
    /// Do what was put off while somebody was inside the link; if the link has ended, let go of everything that leads
    /// up- and downstream.
    case drainPending
}

/// A link of a stream, as its downstream sees it.
///
/// Links are instances of generic classes, whose methods are not specialised when they are called through a protocol
/// or a method table. So each link brings a function along that was made where the link was made, where all types are
/// known. The function captures nothing: it gets the link passed.
@usableFromInline
class Conduit: Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    @usableFromInline final let respond: (Conduit, Command) -> Void

    @inlinable
    init(_ respond: @escaping (Conduit, Command) -> Void) {
        self.respond = respond
    }

    @inlinable
    final func request(_ demand: Subscribers.Demand) {
        respond(self, .request(demand))
    }

    @inlinable
    final func cancel() {
        respond(self, .cancel)
    }

    /// The name of the operator or source.
    @usableFromInline var description: String {
        LinkName.of(type(of: self))
    }

    /// A mirror without children, unless a link has something to show.
    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: EmptyCollection())
    }

    @usableFromInline final var playgroundDescription: Any { description }
}

/// A link that serialises what it delivers, counts what it may deliver, and ends once.
///
/// Values and completions come down through the gate and wait for each other there. Requests and cancellations go up
/// and never wait for the gate, since the way up from one link crosses the way down of another.
///
/// Its parts must not be let go of while a delivery uses them. So they are let go of inside the gate, too: by whoever ends
/// the link if nobody is inside, and otherwise by the thread that is. ``Command/drainPending`` always comes inside the gate.
@usableFromInline
class GatedConduit: Conduit {
    @usableFromInline final let gate = Gate()
    @usableFromInline final let demand = DemandWord()

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @inlinable
    final func enter() -> Bool {
        gate.enter()
    }

    /// Leaves the gate if `outermost` says that this entry was the outermost one.
    @inlinable
    final func exit(_ outermost: Bool) {
        if outermost, gate.leave() {
            drainAfterLeaving()
        }
    }

    /// Somebody left a mark for the thread that has just left the gate.
    @usableFromInline
    final func drainAfterLeaving() {
        repeat {
            // If somebody else has entered meanwhile, the mark is theirs now.
            guard gate.enterOrMark() == .outermost else { return }
            respond(self, .drainPending)
        } while gate.leave()
    }

    /// Does what there is to do for a request or after the end, now if nobody else is inside; or has the thread inside do it.
    @inlinable
    final func drainOrMark() {
        switch gate.enterOrMark() {
        case .outermost:
            respond(self, .drainPending)
            exit(true)
        case .nested:
            // What this thread is about to do further out may still need what is let go of after the end.
            if demand.isEnded {
                _ = gate.leaveMark()
            } else {
                respond(self, .drainPending)
            }
        case .refused: return
        }
    }

    /// Lets go of up- and downstream as soon as nobody is inside; the link must have ended.
    @inlinable
    final func releaseReferences() {
        drainOrMark()
    }
}

/// A link that holds the subscription to one upstream.
@usableFromInline
class UpstreamConduit: GatedConduit {
    @usableFromInline final let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline final var upstream: Conduit?

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    /// Keeps the first subscription and cancels any other, and one that comes after the end.
    ///
    /// - Returns: Whether `subscription` was kept.
    @usableFromInline
    final func accept(_ subscription: any Subscription) -> Bool {
        let link = Conduit.wrapping(subscription)
        let kept = lock.withLock {
            if upstream != nil || demand.isEnded { return false }
            upstream = link
            return true
        }
        if !kept { subscription.cancel() }
        return kept
    }

    /// Takes the subscription of the next upstream in place of the one that has completed.
    @usableFromInline
    final func replace(_ subscription: any Subscription) -> Bool {
        let link = Conduit.wrapping(subscription)
        let kept = lock.withLock {
            if demand.isEnded { return false }
            upstream = link
            return true
        }
        if !kept { subscription.cancel() }
        return kept
    }

    /// Whether there is a subscription to an upstream that has not completed.
    @usableFromInline final var hasUpstream: Bool {
        lock.withLock { upstream != nil }
    }

    /// Passes a request on, with no lock held.
    @usableFromInline
    final func requestUpstream(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    /// Drops the subscription and returns it.
    @usableFromInline
    @discardableResult
    final func takeUpstream() -> Conduit? {
        lock.withLock {
            let taken = upstream
            upstream = nil
            return taken
        }
    }

    /// Ends the link from downstream or by its own decision: cancels upstream and lets go.
    @usableFromInline
    final func endAndCancel() {
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        releaseReferences()
    }
}

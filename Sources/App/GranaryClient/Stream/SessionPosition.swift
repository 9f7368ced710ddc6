/// A client's position in a session: a state machine without I/O that decides which events are new.
///
/// The response to an input arrives before or after the same turn on the stream. It is shown immediately if it is the next turn, and
/// the stream's copy is then skipped.
struct SessionPosition: Equatable, Sendable {
    /// The decision about the outputs of an event.
    enum Decision: Equatable {
        /// They are all outputs.
        case replace
        /// They are those that changed.
        case merge
        /// They are known already.
        case skip
    }

    /// The version of the outputs; nil if it is not known.
    private(set) var version: UInt64?
    /// The version with which the client began; nil if it was not known.
    private let first: UInt64?
    /// The session's epoch; nil before the first event of a stream.
    private var epoch: Substring?

    /// Creates the position of a session that was created or read.
    init(version: UInt64?) {
        self.version = version
        first = version
    }

    mutating func snapshot(at position: String) -> Decision {
        let next = Parts(position)
        // A snapshot that was sent before a response that has overtaken it, also if it is the first.
        if let known = version, let new = next.version, new < known, isSameEpoch(next) || epoch == nil && isFromNow(new)
        {
            epoch = next.epoch
            return .skip
        }
        take(next)
        return .replace
    }

    /// Takes a turn of the stream.
    mutating func change(at position: String) -> Decision {
        let next = Parts(position)
        if epoch == nil || isSameEpoch(next), let known = version, let new = next.version, new <= known {
            epoch = epoch ?? next.epoch
            return .skip
        }
        take(next)
        return .merge
    }

    /// Takes the response to an input.
    mutating func response(version next: UInt64) -> Decision {
        // Turns in between are in flight. If the epoch has changed meanwhile, a snapshot follows.
        guard let known = version, next > known, next - known == 1 else { return .skip }
        version = next
        return .merge
    }

    private mutating func take(_ next: Parts) {
        version = next.version
        epoch = next.epoch
    }

    /// Whether a version may follow that with which the client began. An older one is of another history.
    private func isFromNow(_ version: UInt64) -> Bool { first.map { $0 <= version } ?? false }

    private func isSameEpoch(_ next: Parts) -> Bool { epoch != nil && epoch == next.epoch }

    /// An epoch and a version. The form is documented, but a client must not rely on it: without a dot and a number, the version
    /// is unknown, and every event is new.
    private struct Parts {
        let epoch: Substring?
        let version: UInt64?

        init(_ position: String) {
            guard let dot = position.lastIndex(of: ".") else {
                (epoch, version) = (nil, nil)
                return
            }
            version = UInt64(position[position.index(after: dot)...])
            epoch = version == nil ? nil : position[..<dot]
        }
    }
}

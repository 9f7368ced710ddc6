/// The rules by which `combineLatest` and `zip` react to an event of one of their sources, without the elements
/// themselves.
struct CombiningRule {
    enum Kind {
        /// The latest element of each source, whenever one of them emits.
        case latest
        /// The elements at the same position.
        case zip
        /// Like ``zip``, but for a collection of sources. It also completes as soon as only one source is open and has
        /// no partner for its next element.
        case zipCollection
    }

    enum Step {
        /// Nothing can be emitted yet.
        case wait
        /// Every source has an element: emit the result.
        case deliver
        /// No further result is possible.
        case complete
    }

    private let kind: Kind
    private var hasEnded: [Bool]
    private var openCount: Int

    init(_ kind: Kind, count: Int) {
        self.kind = kind
        hasEnded = Array(repeating: false, count: count)
        openCount = count
    }

    /// Whether the source at `position` has completed.
    func hasEnded(at position: Int) -> Bool { hasEnded[position] }

    /// Handles an element of the source at `position`. `isComplete` is true if every source has an element.
    func elementReceived(at position: Int, isComplete: Bool) -> Step {
        if isComplete { return .deliver }
        switch kind {
        case .latest: return openCount - (hasEnded[position] ? 0 : 1) == 0 ? .complete : .wait
        // RxSwift's `zip` of two to eight sources completes only when all of them have completed.
        case .zip: return .wait
        case .zipCollection: return openCount == 1 ? .complete : .wait
        }
    }

    /// Handles the completion of the source at `position`.
    mutating func completionReceived(at position: Int) -> Step {
        if !hasEnded[position] {
            hasEnded[position] = true
            openCount -= 1
        }
        return openCount == 0 ? .complete : .wait
    }
}

import CombineCore

/// The objects with `objectWillChange` that an output has read. Observed until the output is read again without them.
final class ObservedChildren {
    private let onChange: () -> Void
    private var observations: [ObjectIdentifier: Observation] = [:]
    private var found: [ObjectIdentifier: any ObservableObject] = [:]

    private struct Observation {
        // Compared with the object that is found, which may be another one at the same address.
        weak var object: AnyObject?
        let subscription: AnyCancellable
    }

    init(onChange: @escaping () -> Void) {
        self.onChange = onChange
    }

    /// Records an object that the output reads.
    func note(_ object: AnyObject) {
        if let object = object as? any ObservableObject { found[ObjectIdentifier(object)] = object }
    }

    /// Observes what was read, and nothing else.
    func finishReading() {
        guard !found.isEmpty || !observations.isEmpty else { return }
        var kept: [ObjectIdentifier: Observation] = [:]
        for (id, object) in found {
            let former = observations[id].flatMap { $0.object === object ? $0 : nil }
            kept[id] = former ?? Observation(object: object, subscription: object.observed(by: onChange))
        }
        observations = kept
        found = [:]
    }

    func end() {
        observations = [:]
        found = [:]
    }
}

extension ObservableObject {
    fileprivate func observed(by onChange: @escaping () -> Void) -> AnyCancellable {
        objectWillChange.sink { _ in onChange() }
    }
}

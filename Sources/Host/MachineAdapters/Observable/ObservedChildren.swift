import CombineCore

/// The objects with `objectWillChange` that an output has read. Observed until the output is read again without them.
final class ObservedChildren {
    private let onChange: () -> Void
    private var subscriptions: [ObjectIdentifier: AnyCancellable] = [:]
    private var found: [ObjectIdentifier: any ObservableObject] = [:]

    init(onChange: @escaping () -> Void) {
        self.onChange = onChange
    }

    /// Records an object that the output reads.
    func note(_ object: AnyObject) {
        if let object = object as? any ObservableObject { found[ObjectIdentifier(object)] = object }
    }

    /// Observes what was read, and nothing else.
    func finishReading() {
        guard !found.isEmpty || !subscriptions.isEmpty else { return }
        var kept: [ObjectIdentifier: AnyCancellable] = [:]
        for (id, object) in found { kept[id] = subscriptions[id] ?? object.observed(by: onChange) }
        subscriptions = kept
        found = [:]
    }

    /// Ends all observations.
    func end() {
        subscriptions = [:]
        found = [:]
    }
}

extension ObservableObject {
    fileprivate func observed(by onChange: @escaping () -> Void) -> AnyCancellable {
        objectWillChange.sink { _ in onChange() }
    }
}

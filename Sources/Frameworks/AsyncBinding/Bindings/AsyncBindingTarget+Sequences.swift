extension AsyncBindingTarget {
    /// Sets the property to each element of the sequence on the main actor, in order.
    ///
    /// The first element is set in a later job of the main actor, even if the sequence already has one. The sequence
    /// determines how many elements are buffered while the main actor is busy; `Publisher.values` buffers few.
    ///
    /// - Returns: The binding. Releasing it ends the binding.
    public static func <~ <S: AsyncSequence>(target: Self, sequence: S) -> ActiveBinding where S.Element == Value {
        follow(sequence, target) { $0 }
    }

    /// Sets the optional property to each element of the sequence.
    public static func <~ <S: AsyncSequence>(target: Self, sequence: S) -> ActiveBinding where Value == S.Element? {
        follow(sequence, target) { $0 }
    }

    /// Sets the property to each element of the sequence that is not nil.
    public static func <~ <S: AsyncSequence>(target: Self, sequence: S) -> ActiveBinding where S.Element == Value? {
        follow(sequence, target) { $0 }
    }

    static func follow<S: AsyncSequence>(
        _ sequence: S, _ target: Self, _ convert: @escaping @MainActor (S.Element) -> Value?
    ) -> ActiveBinding {
        let binding = ActiveBinding(lifetime: target.lifetime)
        let progress = binding.progress
        progress.own(
            Task { @MainActor in
                await progress.follow(sequence, isolation: MainActor.shared) { element in
                    convert(element).map(target.set) ?? true
                }
            })
        return binding
    }
}

extension AsyncBindingTarget {
    /// Sets the property to each element of the sequence, on the main actor, in order.
    ///
    /// The first element is set in a later turn of the main actor, also if the sequence has one already. How many elements
    /// are kept while the main actor is busy is the sequence's business: `Publisher.values` keeps few.
    ///
    /// - Returns: The binding, which ends when it is let go of.
    public static func <~ <S: AsyncSequence>(target: Self, sequence: S) -> ActiveBinding where S.Element == Value {
        follow(sequence, target) { $0 }
    }

    /// Sets the property to each element of the sequence; the property is optional, the elements are not.
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

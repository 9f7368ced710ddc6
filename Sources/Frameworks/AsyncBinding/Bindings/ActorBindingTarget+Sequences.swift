extension ActorBindingTarget {
    /// Passes each element of the sequence to the target on its actor, in order.
    ///
    /// The sequence determines how many elements are buffered while the actor is busy.
    ///
    /// - Returns: The binding. Releasing it ends the binding.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where S.Element == Value {
        follow(sequence, target) { $0 }
    }

    /// Passes each element of the sequence to a target of optional values.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where Value == S.Element?, S.Element: Sendable {
        follow(sequence, target) { $0 }
    }

    /// Passes each element of the sequence that is not nil to the target.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where S.Element == Value? {
        follow(sequence, target) { $0 }
    }

    static func follow<S: AsyncSequence & SendableMetatype>(
        _ sequence: sending S, _ target: Self, _ convert: @escaping @Sendable (S.Element) -> Value?
    ) -> ActiveBinding where S.Element: Sendable {
        let binding = ActiveBinding(lifetime: target.lifetime)
        let progress = binding.progress
        // The task captures the progress but not the binding, so that releasing the binding ends it.
        progress.own(Task { await progress.follow(sequence, target, convert) })
        return binding
    }
}

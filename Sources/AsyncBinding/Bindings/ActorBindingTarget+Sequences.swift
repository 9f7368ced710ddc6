extension ActorBindingTarget {
    /// Does with each element of the sequence what the target says, on its actor, in order.
    ///
    /// How many elements are kept while the actor is busy is the sequence's business.
    ///
    /// - Returns: The binding, which ends when it is let go of.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where S.Element == Value {
        follow(sequence, target) { $0 }
    }

    /// Like the other form, for a target of optional values and a sequence of others.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where Value == S.Element?, S.Element: Sendable {
        follow(sequence, target) { $0 }
    }

    /// Like the other form, for each element that is not nil.
    public static func <~ <S: AsyncSequence & SendableMetatype>(target: Self, sequence: sending S) -> ActiveBinding
    where S.Element == Value? {
        follow(sequence, target) { $0 }
    }

    static func follow<S: AsyncSequence & SendableMetatype>(
        _ sequence: sending S, _ target: Self, _ convert: @escaping @Sendable (S.Element) -> Value?
    ) -> ActiveBinding where S.Element: Sendable {
        let binding = ActiveBinding(lifetime: target.lifetime)
        let progress = binding.progress
        progress.own(Task { await progress.follow(sequence, target, convert) })
        return binding
    }
}

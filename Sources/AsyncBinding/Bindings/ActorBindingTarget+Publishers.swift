public import CombineCore

extension ActorBindingTarget {
    /// Does with each value of the publisher what the target says, on its actor, in order.
    ///
    /// The publisher is subscribed to before this returns, and its values are kept, without a limit, until the actor gets
    /// to them: none is lost or skipped.
    ///
    /// - Returns: The binding, which ends when it is let go of.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Like the other form, for a target of optional values and a publisher of others.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding
    where Value == P.Output?, P.Output: Sendable {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Like the other form, for each value that is not nil.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value? {
        follow(PublishedElements(publisher), target) { $0 }
    }

    private static func follow<Element: Sendable>(
        _ published: PublishedElements<Element>, _ target: Self, _ convert: @escaping @Sendable (Element) -> Value?
    ) -> ActiveBinding {
        let binding = follow(published.elements, target, convert)
        binding.progress.own(published.subscription)
        return binding
    }
}

public import CombineCore

extension ActorBindingTarget {
    /// Passes each value of the publisher to the target on its actor, in order.
    ///
    /// The operator subscribes to the publisher before it returns. Values are buffered without a limit until the actor
    /// handles them, so that none is lost or skipped.
    ///
    /// - Returns: The binding. Releasing it ends the binding.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Passes each value of the publisher to a target of optional values.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding
    where Value == P.Output?, P.Output: Sendable {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Passes each value of the publisher that is not nil to the target.
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

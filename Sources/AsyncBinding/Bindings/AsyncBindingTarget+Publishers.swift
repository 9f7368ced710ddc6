public import CombineCore

extension AsyncBindingTarget where Value: Sendable {
    /// Sets the property to each value of the publisher, on the main actor, in order.
    ///
    /// The publisher is subscribed to before this returns, and its values are kept, without a limit, until the main actor
    /// gets to them: none is lost or skipped. Where only the latest matters, bind its `values`.
    ///
    /// - Returns: The binding, which ends when it is let go of.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Sets the property to each value of the publisher; the property is optional, the values are not.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding
    where Value == P.Output?, P.Output: Sendable {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Sets the property to each value of the publisher that is not nil.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value? {
        follow(PublishedElements(publisher), target) { $0 }
    }

    private static func follow<Element: Sendable>(
        _ published: PublishedElements<Element>, _ target: Self, _ convert: @escaping @MainActor (Element) -> Value?
    ) -> ActiveBinding {
        let binding = follow(published.elements, target, convert)
        binding.progress.own(published.subscription)
        return binding
    }
}

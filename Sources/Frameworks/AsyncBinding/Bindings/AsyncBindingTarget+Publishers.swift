public import CombineCore

extension AsyncBindingTarget where Value: Sendable {
    /// Sets the property to each value of the publisher on the main actor, in order.
    ///
    /// The operator subscribes to the publisher before it returns. Values are buffered without a limit until the main
    /// actor handles them, so that none is lost or skipped. If only the latest value matters, bind the publisher's
    /// `values` instead.
    ///
    /// - Returns: The binding. Releasing it ends the binding.
    public static func <~ <P: Publisher>(target: Self, publisher: P) -> ActiveBinding where P.Output == Value {
        follow(PublishedElements(publisher), target) { $0 }
    }

    /// Sets the optional property to each value of the publisher.
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

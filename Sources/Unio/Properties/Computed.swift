/// A value of an output that is computed each time that it is read. It is no stream: nobody is told when it changes.
public final class Computed<Element> {
    private let getter: () -> Element

    /// A value that the closure computes.
    public init(getter: @escaping () -> Element) {
        self.getter = getter
    }

    /// A value that stays what it is now.
    @_disfavoredOverload  // A closure without a label is one that computes.
    public init(capture element: Element) {
        getter = { element }
    }

    /// A value that is computed like the other one.
    public init(_ computed: Computed<Element>) {
        getter = computed.getter
    }

    /// The value, computed now.
    public var value: Element { getter() }
}

/// A value of an output that is computed each time it is read. It is not observable, so observers are not notified when
/// it changes.
public final class Computed<Element> {
    private let getter: () -> Element

    /// Creates a value that the closure computes.
    public init(getter: @escaping () -> Element) {
        self.getter = getter
    }

    /// Creates a constant value.
    @_disfavoredOverload  // A closure without a label is one that computes.
    public init(capture element: Element) {
        getter = { element }
    }

    /// Creates a value with the computation of another one.
    public init(_ computed: Computed<Element>) {
        getter = computed.getter
    }

    /// The current value, computed on access.
    public var value: Element { getter() }
}

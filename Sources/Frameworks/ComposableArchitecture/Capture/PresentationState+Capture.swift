import StateCapture

extension PresentationState: BoxedState {
    /// `wrappedValue`, the name under which all builds store the child's state.
    package static var contentName: String { "wrappedValue" }

    /// The child's state, or nil while nothing is presented.
    package var content: State? { wrappedValue }

    /// Creates the property with a child's state.
    package init(content: State?) { self.init(wrappedValue: content) }
}

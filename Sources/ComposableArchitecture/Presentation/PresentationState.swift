/// Optional state of a child that is presented over its parent and can be dismissed.
@propertyWrapper
public struct PresentationState<State> {
    /// The child's state, or nil while nothing is presented.
    public var wrappedValue: State?

    /// Creates the property with the state that is presented initially.
    public init(wrappedValue: State?) {
        self.wrappedValue = wrappedValue
    }

    /// The wrapper itself, for the key paths of `ifLet`.
    public var projectedValue: PresentationState {
        get { self }
        set { self = newValue }
    }
}

extension PresentationState: Equatable where State: Equatable {}
extension PresentationState: Hashable where State: Hashable {}
extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Encodable where State: Encodable {
    /// Encodes the child's state, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension PresentationState: Decodable where State: Decodable {
    /// Decodes the child's state, or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(State.self))
    }
}

extension PresentationState: CustomDebugOutputConvertible {
    /// The output of the child's state.
    public var debugOutput: String { ComposableArchitecture.debugOutput(wrappedValue as Any) }
}

/// An action of a presented child.
public enum PresentationAction<Action> {
    /// Dismisses the child.
    case dismiss
    /// An action of the child's own feature.
    case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}

/// Dismisses the child whose effect calls it: the parent receives the action and removes the state.
public struct DismissEffect: Sendable {
    let signal: DismissSignal?

    /// Asks the parent to dismiss the child. Reports an issue if no parent presents the child.
    public func callAsFunction() async {
        guard let signal else {
            return Issues.report("dismiss was called in a feature that is not presented", severity: .warning)
        }
        signal.send()
    }
}

private enum DismissKey: DependencyKey {
    static var liveValue: DismissEffect { DismissEffect(signal: nil) }
    static var testValue: DismissEffect { DismissEffect(signal: nil) }
}

extension DependencyValues {
    /// Dismisses the presented feature from one of its effects.
    public var dismiss: DismissEffect {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

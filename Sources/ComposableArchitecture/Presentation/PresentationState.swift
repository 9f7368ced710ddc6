/// Optional state that is presented: a child that appears over its parent and can be dismissed.
@propertyWrapper
public struct PresentationState<State> {
    /// The child's state; nil while nothing is presented.
    public var wrappedValue: State?

    /// Makes it with what is presented at first.
    public init(wrappedValue: State?) {
        self.wrappedValue = wrappedValue
    }

    /// The property itself, which key paths of `ifLet` lead to.
    public var projectedValue: PresentationState {
        get { self }
        set { self = newValue }
    }
}

extension PresentationState: Equatable where State: Equatable {}
extension PresentationState: Hashable where State: Hashable {}
extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Encodable where State: Encodable {
    /// Writes the child's state, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension PresentationState: CustomDebugOutputConvertible {
    /// That of the child's state.
    public var debugOutput: String { ComposableArchitecture.debugOutput(wrappedValue as Any) }
}

/// What can happen to a child that is presented.
public enum PresentationAction<Action> {
    /// It goes.
    case dismiss
    /// Something happens to it.
    case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}

/// Dismisses the child in whose effect it is called: its parent gets the action and takes the state away.
public struct DismissEffect: Sendable {
    let signal: DismissSignal?

    /// Asks the parent to dismiss the child. Without a parent that presents it, that is reported as a mistake.
    public func callAsFunction() async {
        guard let signal else {
            return Issues.report("a feature that nobody presents wanted to be dismissed", severity: .warning)
        }
        signal.send()
    }
}

private enum DismissKey: DependencyKey {
    static var liveValue: DismissEffect { DismissEffect(signal: nil) }
    static var testValue: DismissEffect { DismissEffect(signal: nil) }
}

extension DependencyValues {
    /// Dismisses the feature that is presented, from one of its effects.
    public var dismiss: DismissEffect {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

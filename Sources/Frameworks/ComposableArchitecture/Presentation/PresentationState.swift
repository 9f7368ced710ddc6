/// Optional state of a child that is presented over its parent and can be dismissed.
///
/// The child's state is stored outside of the parent's, so that it can be of the same type.
@propertyWrapper
public struct PresentationState<State> {
    /// A child's state. Copies of the property share it until one of them changes.
    private final class Storage {
        var state: State?

        init(_ state: State?) { self.state = state }
    }

    // Nil while nothing is presented.
    private var storage: Storage?

    /// Creates the property with the state that is presented initially.
    public init(wrappedValue: State?) {
        storage = wrappedValue.map { Storage($0) }
    }

    /// The child's state, or nil while nothing is presented.
    public var wrappedValue: State? {
        get { storage?.state }
        _modify {
            let isUnique = isKnownUniquelyReferenced(&storage)
            let storage = (isUnique ? storage : nil) ?? Storage(storage?.state)
            self.storage = storage
            defer { if storage.state == nil { self.storage = nil } }
            yield &storage.state
        }
    }

    /// The wrapper itself, for the key paths of `ifLet`.
    public var projectedValue: PresentationState {
        get { self }
        set { self = newValue }
    }
}

/// The type ``PresentationState``, for constraints that name no child.
public protocol _PresentationState<Child> {
    /// The child's state.
    associatedtype Child
    /// The child's state, or nil while nothing is presented.
    var _$child: Child? { get }
}

extension PresentationState: _PresentationState {
    /// The child's state, or nil while nothing is presented.
    public var _$child: State? { wrappedValue }
}

extension PresentationState: Equatable where State: Equatable {
    /// Whether both present equal states, or none.
    public static func == (one: PresentationState, other: PresentationState) -> Bool {
        one.storage === other.storage || one.wrappedValue == other.wrappedValue
    }
}

extension PresentationState: Hashable where State: Hashable {
    /// Hashes the child's state.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

// Unchecked: the storage changes only while nothing else refers to it.
extension PresentationState: @unchecked Sendable where State: Sendable {}

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
    indirect case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}

/// Dismisses the child whose effect calls it: the parent receives the action and removes the state.
public struct DismissEffect: Sendable {
    private let dismiss: @Sendable () async -> Void

    /// Creates the value of a dependency that calls a closure.
    public init(_ dismiss: @escaping @Sendable () async -> Void) {
        self.dismiss = dismiss
    }

    /// Asks the parent to dismiss the child. Reports an issue if no parent presents the child.
    public func callAsFunction() async {
        await dismiss()
    }

    /// Asks the parent to dismiss the child. The animation has no effect: the client decides how it shows changes.
    public func callAsFunction(animation: Animation?) async {
        await self()
    }

    /// Asks the parent to dismiss the child. The transaction has no effect: the client decides how it shows changes.
    public func callAsFunction(transaction: Transaction) async {
        await self()
    }
}

private enum DismissKey: DependencyKey {
    static var liveValue: DismissEffect {
        DismissEffect { Issues.report("dismiss was called in a feature that is not presented", severity: .warning) }
    }
    static var testValue: DismissEffect { liveValue }
}

private enum IsPresentedKey: DependencyKey {
    static var liveValue: Bool { false }
    static var testValue: Bool { false }
}

extension DependencyValues {
    /// Whether a parent presents the feature, or has it on a stack.
    public internal(set) var isPresented: Bool {
        get { self[IsPresentedKey.self] }
        set { self[IsPresentedKey.self] = newValue }
    }

    /// Dismisses the presented feature from one of its effects.
    public var dismiss: DismissEffect {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

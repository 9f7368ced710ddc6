/// A property of the state that a view may set directly, without a dedicated action.
///
/// The projected value identifies it: `.set(\.$text, "new")` is the action that sets `@BindableState var text`.
@propertyWrapper
public struct BindableState<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a property with an initial value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// The wrapper itself, for the key paths of binding actions.
    public var projectedValue: BindableState {
        get { self }
        set { self = newValue }
    }
}

/// The later name of ``BindableState``.
public typealias BindingState = BindableState

extension BindableState: Equatable where Value: Equatable {}
extension BindableState: Hashable where Value: Hashable {}
extension BindableState: Sendable where Value: Sendable {}

extension BindableState: Encodable where Value: Encodable {
    /// Encodes the wrapped value only.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension BindableState: Decodable where Value: Decodable {
    /// Decodes the wrapped value only.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try Value(from: decoder))
    }
}

extension BindableState: CustomReflectable {
    /// The output of the wrapped value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension BindableState: CustomDebugOutputConvertible {
    /// The output of the wrapped value.
    public var debugOutput: String { ComposableArchitecture.debugOutput(wrappedValue) }
}

/// A property of the state that a view may set as it likes, without an action of its own.
///
/// The projected value names it: `.set(\.$text, "new")` is the action that sets `@BindableState var text`.
@propertyWrapper
public struct BindableState<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Makes a property with a first value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// The property itself, which key paths of binding actions lead to.
    public var projectedValue: BindableState {
        get { self }
        set { self = newValue }
    }
}

/// The same under its later name.
public typealias BindingState = BindableState

extension BindableState: Equatable where Value: Equatable {}
extension BindableState: Hashable where Value: Hashable {}
extension BindableState: Sendable where Value: Sendable {}

extension BindableState: Encodable where Value: Encodable {
    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension BindableState: Decodable where Value: Decodable {
    /// Reads the value alone.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try Value(from: decoder))
    }
}

extension BindableState: CustomReflectable {
    /// That of the value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension BindableState: CustomDebugOutputConvertible {
    /// That of the value.
    public var debugOutput: String { ComposableArchitecture.debugOutput(wrappedValue) }
}

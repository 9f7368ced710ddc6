/// One case of an enum: its name, its associated values, and how it is created. `@CasePathable` adds the descriptions.
///
/// A host derives the inputs of a machine from them.
public struct CaseDescription {
    /// An associated value.
    public typealias Value = (label: String?, type: any Any.Type)

    /// The name of the case.
    public let name: String
    /// The associated values, in order.
    public let values: [Value]
    /// Creates the case with these values; nil if one has another type.
    public let make: ([Any]) -> Any?

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - name: The name of the case.
    ///   - values: The associated values, in order.
    ///   - make: Creates the case with values; nil if one has another type.
    public init(_ name: String, _ values: [Value] = [], make: @escaping ([Any]) -> Any?) {
        self.name = name
        self.values = values
        self.make = make
    }
}

/// Returns an associated value, if it has a type.
public func _$value<Value>(_ values: [Any], _ index: Int, as type: Value.Type) -> Value? {
    values.indices.contains(index) ? values[index] as? Value : nil
}

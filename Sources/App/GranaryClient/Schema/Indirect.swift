/// A value of a recursive type. A structure cannot contain itself, so generated types contain it in this enumeration.
public indirect enum Indirect<Value> {
    /// The value.
    case value(Value)

    /// Creates the container of a value.
    public init(_ value: Value) { self = .value(value) }

    /// The contained value.
    public var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}

extension Indirect: Decodable where Value: Decodable {
    /// Reads the value itself.
    public init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
}

extension Indirect: Encodable where Value: Encodable {
    /// Writes the value itself.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

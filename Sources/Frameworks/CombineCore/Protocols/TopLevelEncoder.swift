/// A type that encodes values in a data format, for `encode(encoder:)`.
public protocol TopLevelEncoder {
    /// The type of the encoded data, such as `Data`.
    associatedtype Output

    /// Encodes `value` as a whole document.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that writes values into some data format, as `encode(encoder:)` needs one.
public protocol TopLevelEncoder {
    /// What values are encoded to, such as `Data`.
    associatedtype Output

    /// Encodes `value` as a whole document.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

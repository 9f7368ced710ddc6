/// A type that decodes values from a data format, for `decode(type:decoder:)`.
public protocol TopLevelDecoder {
    /// The type of the encoded data, such as `Data`.
    associatedtype Input

    /// Decodes a value from a whole document.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

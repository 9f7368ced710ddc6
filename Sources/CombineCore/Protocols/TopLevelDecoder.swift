/// A type that reads values from some data format, as `decode(type:decoder:)` needs one.
public protocol TopLevelDecoder {
    /// What values are decoded from, such as `Data`.
    associatedtype Input

    /// Decodes a whole document.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

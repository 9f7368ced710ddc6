public import Foundation

/// A type that decodes values from data, such as `JSONDecoder`.
public protocol DataDecoder {
    /// Decodes a value of the given type from `data`.
    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

extension ObservableType where Element == Data {
    /// Returns an observable that emits the values decoded from the elements. It fails with the decoder's error if
    /// decoding fails.
    public func decode<Item: Decodable, Decoder: DataDecoder>(type: Item.Type, decoder: Decoder) -> Observable<Item> {
        map { try decoder.decode(type, from: $0) }
    }
}

import MachineHost

/// The elements of an array.
struct JSONTextElements: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let place: JSONTextPlace?
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { place?.path ?? [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(of value: JSONValue, at place: JSONTextPlace?) throws {
        guard let elements = value.elements else { throw JSONTextDecoder.NotReadHere() }
        self.elements = elements
        self.place = place
    }

    mutating func decodeNil() throws -> Bool {
        guard try next().kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try JSONTextDecoder.decode(type, try next(), at: inside)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try JSONTextMembers<Nested>(of: try next(), at: inside)
        currentIndex += 1
        return KeyedDecodingContainer(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try JSONTextElements(of: try next(), at: inside)
        currentIndex += 1
        return container
    }

    /// What a superclass has written is rare enough to be left to Foundation.
    mutating func superDecoder() throws -> any Decoder { throw JSONTextDecoder.NotReadHere() }

    private func next() throws -> JSONValue {
        guard !isAtEnd else { throw JSONTextDecoder.NotReadHere() }
        return elements[currentIndex]
    }

    private var inside: JSONTextPlace { JSONTextPlace(Index(intValue: currentIndex), in: place) }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "Index \(intValue ?? 0)" }

        init(intValue: Int) { self.intValue = intValue }

        init?(stringValue: String) { nil }
    }
}

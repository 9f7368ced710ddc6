struct JSONTextElements: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let place: JSONTextPlace?
    private let reading: JSONReading
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { place?.path ?? [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(of value: JSONValue, at place: JSONTextPlace?, _ reading: JSONReading) throws {
        guard value.kind == .array else { throw reading.mismatch([Any].self, value, at: place) }
        elements = reading.elements(of: value)
        self.place = place
        self.reading = reading
    }

    mutating func decodeNil() throws -> Bool {
        guard try next(Any?.self).kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try reading.decode(type, try next(type), at: inside)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try JSONTextMembers<Nested>(of: try next([String: Any].self), at: inside, reading)
        currentIndex += 1
        return KeyedDecodingContainer(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try JSONTextElements(of: try next([Any].self), at: inside, reading)
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = JSONTextDecoder(value: try next((any Decoder).self), place: inside, reading: reading)
        currentIndex += 1
        return decoder
    }

    private func next(_ type: any Any.Type) throws -> JSONValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                .init(codingPath: inside.path, debugDescription: "expected another element, got the end of the array"))
        }
        return elements[currentIndex]
    }

    private var inside: JSONTextPlace { JSONTextPlace(JSONTextIndex(intValue: currentIndex), in: place) }
}

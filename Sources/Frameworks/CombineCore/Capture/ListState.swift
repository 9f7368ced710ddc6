import StateCapture

@usableFromInline
struct ListState<Value>: Codable {
    @usableFromInline var values: [Value]

    @usableFromInline
    init(_ values: [Value]) {
        self.values = values
    }

    @usableFromInline
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        values = []
        while !container.isAtEnd { values.append(try container.decode(StoredValue<Value>.self).value) }
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values { try container.encode(StoredValue(value)) }
    }
}

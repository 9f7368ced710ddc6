import JSONText

/// Encodes and decodes a field of a value in memory.
struct FieldCodec {
    let name: String
    let offset: Int
    private let append: (UnsafeRawPointer, inout [UInt8]) throws -> Void
    private let create: (ArraySlice<UInt8>, UnsafeMutableRawPointer) throws -> Void
    private let destroy: (UnsafeMutableRawPointer) -> Void

    init<Value>(_ name: String, at offset: Int, _ codec: StateCodec<Value>) {
        self.name = name
        self.offset = offset
        append = { try codec.encode($0.assumingMemoryBound(to: Value.self).pointee, &$1) }
        create = { $1.initializeMemory(as: Value.self, to: try codec.decode($0)) }
        destroy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }

    /// Appends the fields of the value at an address as a JSON object.
    static func append(_ fields: [FieldCodec], of value: UnsafeRawPointer, to json: inout [UInt8]) throws {
        json.append(UInt8(ascii: "{"))
        for (index, field) in fields.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONWriter.append(field.name, to: &json)
            json.append(UInt8(ascii: ":"))
            try field.append(value + field.offset, &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Initializes the fields of the value at an address. If a field cannot be decoded, no field remains initialized.
    static func initialize(
        _ fields: [FieldCodec], of value: UnsafeMutableRawPointer, from json: ArraySlice<UInt8>
    ) throws {
        let reading = JSONReading(Array(json))
        guard reading.root.kind == .object else { throw StateFormMismatch(expected: "an object") }
        var members: [String: Range<Int>] = [:]
        for member in reading.members(of: reading.root) { members[member.name] = member.value }
        var count = 0
        do {
            for field in fields {
                guard let member = members[field.name] else {
                    throw StateFormMismatch(expected: "an object with the member \"\(field.name)\"")
                }
                try field.create(reading.root.bytes[member], value + field.offset)
                count += 1
            }
        } catch {
            for field in fields[..<count] { field.destroy(value + field.offset) }
            throw error
        }
    }
}

extension StateCodec {
    /// Returns the codec of a structure or tuple with all its fields.
    static func fields(_ fields: [FieldCodec]) -> StateCodec {
        StateCodec { value, json in
            try withUnsafePointer(to: value) { try FieldCodec.append(fields, of: $0, to: &json) }
        } decode: { json in
            try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
                guard let place = buffer.baseAddress else { throw StateFormMismatch(expected: "a value") }
                try FieldCodec.initialize(fields, of: UnsafeMutableRawPointer(place), from: json)
                return place.move()
            }
        }
    }

    /// Returns the codec of an enumeration with all its cases, by tag.
    static func cases(_ cases: [CaseForm<Value>], _ reading: any EnumerationReading.Type) -> StateCodec {
        StateCodec { value, json in
            let form = cases[reading.tag(of: value)]
            try form.append(value, &json)
        } decode: { json in
            let text = JSONReading(Array(json))
            // `"idle"`, or `{"failed":{…}}` with the associated values.
            let member = text.root.kind == .object ? text.members(of: text.root).first : nil
            guard let name = member?.name ?? text.root.string, let form = cases.first(where: { $0.name == name }) else {
                throw StateFormMismatch(expected: "a case of \(Value.self)")
            }
            return try form.create(member.map { text.root.bytes[$0.value] })
        }
    }
}

/// How a case of an enumeration is stored.
struct CaseForm<Root> {
    let name: String
    let append: (Root, inout [UInt8]) throws -> Void
    /// Creates a value from the JSON of the associated values; nil if there are none.
    let create: (ArraySlice<UInt8>?) throws -> Root

    /// Creates the form of a case without associated values.
    init(name: String, tag: Int, _ reading: any EnumerationReading.Type) {
        self.name = name
        append = { JSONWriter.append(name, to: &$1) }
        create = { _ in reading.value(tag: tag, as: Root.self) { _ in } }
    }

    /// Creates the form of a case with associated values.
    init<Payload>(name: String, tag: Int, _ codec: StateCodec<Payload>, _ reading: any EnumerationReading.Type) {
        self.name = name
        append = { value, json in
            json.append(UInt8(ascii: "{"))
            JSONWriter.append(name, to: &json)
            json.append(UInt8(ascii: ":"))
            try codec.encode(reading.payload(of: value, as: Payload.self), &json)
            json.append(UInt8(ascii: "}"))
        }
        create = { json in
            guard let json else { throw StateFormMismatch(expected: "the associated values of \"\(name)\"") }
            let payload = try codec.decode(json)
            return reading.value(tag: tag, as: Root.self) { $0.initializeMemory(as: Payload.self, to: payload) }
        }
    }
}

import JSONText

/// Properties of an object that are appended as JSON from their places, without making the state of which they are fields.
///
/// The states of operators are generic and not specialized, so that making and comparing one costs several times as much as
/// writing it.
struct DirectFields {
    private struct Field {
        /// The name with its colon, and the comma before it.
        let head: [UInt8]
        let append: (inout [UInt8]) -> Void
    }

    private var fields: [Field] = []
    /// Whether the type of a property is not among the most frequent ones, so that the state must be made.
    private var isIncomplete = false

    /// Whether the fields are the whole state.
    var isComplete: Bool { !fields.isEmpty && !isIncomplete }

    /// Adds a field of the type `StoredOptional<Value>`.
    mutating func add<Value>(_ place: UnsafePointer<Value?>, named name: StaticString) {
        let place = UnsafeRawPointer(place)
        switch Value.self {
        case is Int.Type: add(name, Kept<Int>(place) { $0.append(to: &$1) })
        case is Bool.Type: add(name, Kept<Bool>(place) { $0.append(to: &$1) })
        case is String.Type: add(name, Kept<String>(place) { $0.append(to: &$1) })
        case is Void.Type:
            let place = place.assumingMemoryBound(to: Void?.self)
            add(name) { $0.append(contentsOf: place.pointee == nil ? "[]".utf8 : "[[]]".utf8) }
        default: isIncomplete = true
        }
    }

    /// Adds a field that is a number.
    mutating func add(_ place: UnsafePointer<UInt8>, named name: StaticString) {
        add(name) { place.pointee.append(to: &$0) }
    }

    private mutating func add<Value>(_ name: StaticString, _ kept: Kept<Value>) {
        add(name) { kept.append(to: &$0) }
    }

    private mutating func add(_ name: StaticString, _ append: @escaping (inout [UInt8]) -> Void) {
        var head = fields.isEmpty ? [] : [UInt8(ascii: ",")]
        JSONWriter.append("\(name)", to: &head)
        head.append(UInt8(ascii: ":"))
        fields.append(Field(head: head, append: append))
    }

    /// Appends the JSON of the state.
    func append(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        // By index, because a loop over the fields retains both parts of each.
        for index in fields.indices {
            json.append(contentsOf: fields[index].head)
            fields[index].append(&json)
        }
        json.append(UInt8(ascii: "}"))
    }
}

/// The last captured value of a property, which is retained so that equal bytes prove an equal value.
private final class Kept<Value> {
    private let write: (Value, inout [UInt8]) -> Void
    private let place: UnsafePointer<Value?>
    // Unchecked exclusivity: used on the session's loop, and nothing is called while it is accessed.
    @exclusivity(unchecked) private var value: Value?

    init(_ place: UnsafeRawPointer, _ write: @escaping (Value, inout [UInt8]) -> Void) {
        self.write = write
        self.place = place.assumingMemoryBound(to: Value?.self)
    }

    func append(to json: inout [UInt8]) {
        value = place.pointee
        json.append(UInt8(ascii: "["))
        if let value { write(value, &json) }
        json.append(UInt8(ascii: "]"))
    }
}

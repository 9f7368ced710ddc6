import JSONText

/// Properties of an object that are appended as JSON from their places, without making the state of which they are fields.
///
/// The states of operators are generic and not specialized, so that making and comparing one costs several times as much as
/// writing it.
struct DirectFields: Equatable {
    /// The types of properties that are among the most frequent ones.
    enum Kind: Equatable {
        case number
        case signedNumber
        case optionalInt
        case optionalBool
        case optionalVoid
        /// The number of texts among the fields before it.
        case optionalText(Int)

        /// Returns the kind of an optional property; nil for other types.
        init?(optional type: any Any.Type) {
            switch type {
            case is Int.Type: self = .optionalInt
            case is Bool.Type: self = .optionalBool
            case is Void.Type: self = .optionalVoid
            case is String.Type: self = .optionalText(0)
            default: return nil
            }
        }
    }

    private struct Field: Equatable {
        /// Where its part of ``heads`` ends.
        let headEnd: Int
        let offset: Int
        let kind: Kind
    }

    private var fields: [Field] = []
    /// The names of the fields with their colons, and the commas before them.
    // In one array: an array for each field would be retained in each turn.
    private var heads: [UInt8] = []
    /// Whether the type of a property is not among the most frequent ones, so that the state must be made.
    private var isIncomplete = false
    /// The number of texts.
    private(set) var textCount = 0

    /// Whether the fields are the whole state.
    var isComplete: Bool { !fields.isEmpty && !isIncomplete }

    /// Adds a field.
    mutating func add(_ offset: UInt32, _ kind: Kind?, named name: StaticString) {
        guard var kind else { return isIncomplete = true }
        if case .optionalText = kind {
            kind = .optionalText(textCount)
            textCount += 1
        }
        if !fields.isEmpty { heads.append(UInt8(ascii: ",")) }
        JSONWriter.append("\(name)", to: &heads)
        heads.append(UInt8(ascii: ":"))
        fields.append(Field(headEnd: heads.count, offset: Int(offset), kind: kind))
    }

    /// Appends the JSON of the state from the properties of an object.
    ///
    /// - Parameter texts: Receives the texts.
    func append(_ object: UnsafeRawPointer, retaining texts: UnsafeMutablePointer<String?>?, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        var headStart = 0
        for field in fields {
            heads.withUnsafeBufferPointer { json.append(contentsOf: $0[headStart..<field.headEnd]) }
            headStart = field.headEnd
            let place = object + field.offset
            switch field.kind {
            case .number: place.load(as: UInt8.self).append(to: &json)
            case .signedNumber: place.load(as: Int32.self).append(to: &json)
            case .optionalInt:
                let number = place.assumingMemoryBound(to: Int?.self).pointee
                DirectFields.append(number, to: &json) { $0.append(to: &$1) }
            case .optionalBool:
                let flag = place.assumingMemoryBound(to: Bool?.self).pointee
                DirectFields.append(flag, to: &json) { $0.append(to: &$1) }
            case .optionalVoid:
                let isNil = place.assumingMemoryBound(to: Void?.self).pointee == nil
                json.append(contentsOf: isNil ? "[]".utf8 : "[[]]".utf8)
            case .optionalText(let number):
                let text = place.assumingMemoryBound(to: String?.self).pointee
                DirectFields.append(text, to: &json) { $0.append(to: &$1) }
                texts?[number] = text
            }
        }
        json.append(UInt8(ascii: "}"))
    }

    @inline(__always)
    private static func append<Value>(
        _ value: Value?, to json: inout [UInt8], _ write: (Value, inout [UInt8]) -> Void
    ) {
        json.append(UInt8(ascii: "["))
        if let value { write(value, &json) }
        json.append(UInt8(ascii: "]"))
    }
}

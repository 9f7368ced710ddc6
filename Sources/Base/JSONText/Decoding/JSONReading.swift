/// Decodes a JSON text whose syntax has been checked, and records members that no type decodes. Confined to one call.
package final class JSONReading {
    private let bytes: [UInt8]
    /// The start and end of each array and object of a long text, ordered by start.
    // Without this list, finding the end of a container would scan its content once per enclosing level.
    private var ends: [(start: Int, end: Int)] = []
    /// The unknown members of each object that was decoded by keys, by the offset of the object.
    private var unknown: [Int: (names: [String], place: JSONTextPlace?)] = [:]

    /// The size up to which texts have no such list and are scanned again.
    private static let short = 4096

    /// The form of numbers that JSON cannot represent.
    private let nonFinite: NonFiniteNumbers

    var userInfo: [CodingUserInfoKey: Any] { StoredForm.userInfo(nonFinite) }

    /// Creates a reading of a text.
    package init(_ bytes: [UInt8], nonFinite: NonFiniteNumbers = .rejected) {
        self.bytes = bytes
        self.nonFinite = nonFinite
        if bytes.count > Self.short { findEnds() }
    }

    /// The value that the text represents.
    package var root: JSONValue { JSONValue(bytes: bytes, range: bytes.indices) }

    /// Decodes a value of the text.
    ///
    /// - Throws: A `DecodingError`, or an error of the type's own code.
    package func decode<T: Decodable>(_ type: T.Type, _ value: JSONValue, at place: JSONTextPlace?) throws -> T {
        if let direct = type as? any JSONReadable.Type {
            if let read = direct.init(json: value.slice), let read = read as? T { return read }
            if nonFinite == .bits, let read = NonFiniteNumbers.value(type, value.slice) { return read }
            throw mismatch(type, value, at: place)
        }
        return try T(from: JSONTextDecoder(value: value, place: place, reading: self))
    }

    /// Returns the error for a value that does not match a type.
    func mismatch(_ type: any Any.Type, _ value: JSONValue, at place: JSONTextPlace?) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: place?.path ?? [], debugDescription: "expected a value of type \(type)")
        return value.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

extension JSONReading {
    /// Records the members of an object that are not keys of a container. A member is unknown if no container of its object has
    /// a key for it.
    func note<Key: CodingKey>(_ members: [Member], ofObjectAt offset: Int, _ place: JSONTextPlace?, _ type: Key.Type) {
        if let earlier = unknown[offset] {
            guard !earlier.names.isEmpty else { return }
            unknown[offset]?.names = earlier.names.filter { Key(stringValue: $0) == nil }
        } else {
            var names: [String] = []
            for member in members where Key(stringValue: member.name) == nil { names.append(member.name) }
            unknown[offset] = (names, place)
        }
    }

    /// Records that a type decodes a member that is not among its keys.
    func noteKnown(_ name: String, ofObjectAt offset: Int) {
        unknown[offset]?.names.removeAll { $0 == name }
    }

    /// The unknown members, in the order of the text.
    package var unknownMembers: [(path: [any CodingKey], name: String)] {
        unknown.filter { !$0.value.names.isEmpty }.sorted { $0.key < $1.key }
            .flatMap { _, found in found.names.map { (found.place?.path ?? [], $0) } }
    }
}

// Finds values in the text.
extension JSONReading {
    package struct Member {
        package let name: String
        package let value: Range<Int>
    }

    /// Returns the members of an object, in order.
    package func members(of object: JSONValue) -> [Member] {
        var members: [Member] = []
        var position = afterWhitespace(object.range.lowerBound + 1)
        while position < object.range.upperBound, bytes[position] == UInt8(ascii: "\"") {
            let key = position..<end(ofValueAt: position)
            // Skips the colon.
            let start = afterWhitespace(afterWhitespace(key.upperBound) + 1)
            let value = start..<end(ofValueAt: start)
            members.append(Member(name: JSONValue(bytes: bytes, range: key).string ?? "", value: value))
            // Skips the comma.
            position = afterWhitespace(afterWhitespace(value.upperBound) + 1)
        }
        return members
    }

    /// Returns the elements of an array, in order.
    func elements(of array: JSONValue) -> [JSONValue] {
        var elements: [JSONValue] = []
        var position = afterWhitespace(array.range.lowerBound + 1)
        let last = array.range.upperBound - 1
        while position < last {
            let value = position..<end(ofValueAt: position)
            elements.append(JSONValue(bytes: bytes, range: value))
            position = afterWhitespace(afterWhitespace(value.upperBound) + 1)
        }
        return elements
    }

    /// Returns the value at a path; nil if none exists.
    package func value(at path: [any CodingKey]) -> JSONValue? {
        var value = root
        for key in path {
            switch value.kind {
            case .object:
                guard let member = members(of: value).first(where: { $0.name == key.stringValue }) else { return nil }
                value = JSONValue(bytes: bytes, range: member.value)
            case .array:
                let elements = elements(of: value)
                guard let index = key.intValue, elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    private func afterWhitespace(_ position: Int) -> Int {
        var position = position
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        return position
    }

    private func end(ofValueAt start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        switch bytes[start] {
        case UInt8(ascii: "\""): return end(ofStringAt: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return end(ofContainerAt: start)
        default:
            var position = start
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0...0x20: return position
                default: position += 1
                }
            }
            return position
        }
    }

    private func end(ofStringAt start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return bytes.count
    }

    private func end(ofContainerAt start: Int) -> Int {
        if !ends.isEmpty {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].start < start { low = middle + 1 } else { high = middle }
            }
            if low < ends.count, ends[low].start == start { return ends[low].end }
        }
        var (position, depth) = (start, 0)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = end(ofStringAt: position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return bytes.count
    }

    private func findEnds() {
        var open: [Int] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = end(ofStringAt: position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(ends.count)
                ends.append((position, bytes.count))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let index = open.popLast() { ends[index].end = position + 1 }
            default: break
            }
            position += 1
        }
    }
}

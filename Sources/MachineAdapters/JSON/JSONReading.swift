import MachineHost

/// The reading of one JSON text whose syntax has been checked: finds the parts of objects and arrays, and notes members that
/// no type knows. Confined to one call.
final class JSONReading {
    private let bytes: [UInt8]
    /// Where each array and object of a long text begins and ends, ordered by its beginning: so that what is nested is not
    /// passed over once for each level around it.
    private var ends: [(start: Int, end: Int)] = []
    /// The objects that were read as keyed containers, by their offset: their members that none of the keys stands for.
    private var unknown: [Int: (names: [String], place: JSONTextPlace?)] = [:]

    /// Shorter texts are passed over quickly enough.
    private static let short = 4096

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.count > Self.short { findEnds() }
    }

    /// The whole text.
    var root: JSONValue { JSONValue(bytes: bytes, range: bytes.indices) }

    /// Reads the value of a part.
    ///
    /// - Throws: A `DecodingError`, or what the type's own code throws.
    func decode<T: Decodable>(_ type: T.Type, _ value: JSONValue, at place: JSONTextPlace?) throws -> T {
        if let direct = type as? any DirectlyRead.Type {
            if let read = direct.init(json: value.slice), let read = read as? T { return read }
            throw mismatch(type, value, at: place)
        }
        if type is any ReadByFoundation.Type {
            guard let read = try? HostJSON.decode(type, from: value.slice) else {
                throw mismatch(type, value, at: place)
            }
            return read
        }
        return try T(from: JSONTextDecoder(value: value, place: place, reading: self))
    }

    /// The error for a value that is not of a type.
    func mismatch(_ type: any Any.Type, _ value: JSONValue, at place: JSONTextPlace?) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: place?.path ?? [], debugDescription: "expected a value of type \(type)")
        return value.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

// Members that nobody asks for.
extension JSONReading {
    /// Notes which members of an object are not among the keys of a container. Those that no container of the object knows
    /// are unknown in the end.
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

    /// Notes that a type asks for that member, though it is not among its keys.
    func noteKnown(_ name: String, ofObjectAt offset: Int) {
        unknown[offset]?.names.removeAll { $0 == name }
    }

    /// The members that are unknown, in the order of the text.
    var unknownMembers: [(path: [any CodingKey], name: String)] {
        unknown.filter { !$0.value.names.isEmpty }.sorted { $0.key < $1.key }
            .flatMap { _, found in found.names.map { (found.place?.path ?? [], $0) } }
    }
}

// The parts of the text.
extension JSONReading {
    /// A member of an object.
    struct Member {
        let name: String
        let value: Range<Int>
    }

    /// The members of an object, in order.
    func members(of object: JSONValue) -> [Member] {
        var members: [Member] = []
        var position = afterWhitespace(object.range.lowerBound + 1)
        while position < object.range.upperBound, bytes[position] == UInt8(ascii: "\"") {
            let key = position..<end(ofValueAt: position)
            // Behind the colon.
            let start = afterWhitespace(afterWhitespace(key.upperBound) + 1)
            let value = start..<end(ofValueAt: start)
            members.append(Member(name: JSONValue(bytes: bytes, range: key).string ?? "", value: value))
            // Behind the comma.
            position = afterWhitespace(afterWhitespace(value.upperBound) + 1)
        }
        return members
    }

    /// The elements of an array, in order.
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

    /// The value at that path; nil if there is none.
    func value(at path: [any CodingKey]) -> JSONValue? {
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

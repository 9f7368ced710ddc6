/// A value that writes its JSON into a buffer without an encoder.
// The functions are inlinable: the cells of common types are specialized for them in another module.
@usableFromInline
package protocol JSONWritable {
    func append(to json: inout [UInt8]) throws

    /// A lower bound of the size of the JSON, known before it is written.
    var minimumByteCount: Int { get }
}

extension JSONWritable {
    @inlinable
    package var minimumByteCount: Int { 0 }
}

extension Bool: JSONWritable {
    @inlinable
    package func append(to json: inout [UInt8]) { json.append(contentsOf: self ? "true".utf8 : "false".utf8) }
}

extension String: JSONWritable {
    @inlinable
    package var minimumByteCount: Int { utf8.count }

    @inlinable
    package func append(to json: inout [UInt8]) { JSONWriter.append(self, to: &json) }
}

extension FixedWidthInteger where Self: JSONWritable {
    @inlinable
    package func append(to json: inout [UInt8]) {
        if self < 0 { json.append(UInt8(ascii: "-")) }
        // The magnitude of the least number is not a value of its type.
        JSONWriter.append(UInt64(truncatingIfNeeded: magnitude), to: &json)
    }
}

extension Int: JSONWritable {}
extension Int8: JSONWritable {}
extension Int16: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension BinaryFloatingPoint where Self: JSONWritable & Encodable & LosslessStringConvertible {
    /// Appends the shortest text that represents the number. Throws for infinities and NaN, which JSON cannot
    /// represent.
    @inlinable
    package func append(to json: inout [UInt8]) throws {
        guard isFinite else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "expected a number that JSON can represent, got \(self)"))
        }
        let text = description
        json.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }
}

extension Double: JSONWritable {}
extension Float: JSONWritable {}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    @inlinable
    package var minimumByteCount: Int { self?.minimumByteCount ?? 0 }

    @inlinable
    package func append(to json: inout [UInt8]) throws {
        if let self { try self.append(to: &json) } else { json.append(contentsOf: "null".utf8) }
    }
}

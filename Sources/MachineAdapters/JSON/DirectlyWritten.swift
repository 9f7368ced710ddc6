import HTTPModel

/// A value that is written as JSON straight into the bytes, without an encoder.
protocol DirectlyWritten {
    func append(to json: inout [UInt8]) throws

    /// How many bytes its JSON has at least; known before it is written.
    var leastByteCount: Int { get }
}

extension DirectlyWritten {
    var leastByteCount: Int { 0 }
}

extension Bool: DirectlyWritten {
    func append(to json: inout [UInt8]) { json.append(contentsOf: self ? "true".utf8 : "false".utf8) }
}

extension String: DirectlyWritten {
    var leastByteCount: Int { utf8.count }

    func append(to json: inout [UInt8]) { JSONText.append(self, to: &json) }
}

extension FixedWidthInteger where Self: DirectlyWritten {
    func append(to json: inout [UInt8]) {
        if self >= 0, self < 10 {
            json.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: self))
        } else {
            json.append(contentsOf: String(self).utf8)
        }
    }
}

extension Int: DirectlyWritten {}
extension Int8: DirectlyWritten {}
extension Int16: DirectlyWritten {}
extension Int32: DirectlyWritten {}
extension Int64: DirectlyWritten {}
extension UInt: DirectlyWritten {}
extension UInt8: DirectlyWritten {}
extension UInt16: DirectlyWritten {}
extension UInt32: DirectlyWritten {}
extension UInt64: DirectlyWritten {}

extension BinaryFloatingPoint where Self: DirectlyWritten & Encodable & LosslessStringConvertible {
    /// The shortest text that means the number; throws for infinities and what is no number, which JSON does not have.
    func append(to json: inout [UInt8]) throws {
        guard isFinite else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "expected a number that JSON has, found \(self)"))
        }
        let text = description
        json.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }
}

extension Double: DirectlyWritten {}
extension Float: DirectlyWritten {}

extension Optional: DirectlyWritten where Wrapped: DirectlyWritten {
    var leastByteCount: Int { self?.leastByteCount ?? 0 }

    func append(to json: inout [UInt8]) throws {
        if let self { try self.append(to: &json) } else { json.append(contentsOf: "null".utf8) }
    }
}

public import FoundationEssentials
public import JSONText
import MachineHost

// The types whose JSON form differs from their own `Encodable` form: dates are RFC 3339 text, URLs are text, data is
// base64, decimal numbers are numbers. `HostJSON` decodes them.

extension Date: JSONReadable, JSONWritable {
    package init?(json: ArraySlice<UInt8>) {
        guard let value = try? HostJSON.decode(Self.self, from: json) else { return nil }
        self = value
    }

    @usableFromInline
    package func append(to json: inout [UInt8]) throws {
        guard let text = RFC3339.text(of: self) else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "expected a date of the years 0 to 9999"))
        }
        JSONWriter.append(text, to: &json)
    }
}

extension URL: JSONReadable, JSONWritable {
    package init?(json: ArraySlice<UInt8>) {
        guard let value = try? HostJSON.decode(Self.self, from: json) else { return nil }
        self = value
    }

    @usableFromInline
    package func append(to json: inout [UInt8]) throws { JSONWriter.append(absoluteString, to: &json) }
}

extension Data: JSONReadable, JSONWritable {
    package init?(json: ArraySlice<UInt8>) {
        guard let value = try? HostJSON.decode(Self.self, from: json) else { return nil }
        self = value
    }

    @usableFromInline
    package func append(to json: inout [UInt8]) throws { JSONWriter.append(base64EncodedString(), to: &json) }

    @usableFromInline
    package var minimumByteCount: Int { (count + 2) / 3 * 4 }
}

extension Decimal: JSONReadable, JSONWritable {
    package init?(json: ArraySlice<UInt8>) {
        guard let value = try? HostJSON.decode(Self.self, from: json) else { return nil }
        self = value
    }

    @usableFromInline
    package func append(to json: inout [UInt8]) throws {
        guard isFinite else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "expected a number that JSON can represent"))
        }
        json.append(contentsOf: description.utf8)
    }
}

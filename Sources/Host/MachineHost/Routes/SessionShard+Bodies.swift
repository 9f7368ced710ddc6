package import HTTPModel
import JSONText

extension SessionShard {
    /// Returns the JSON value in the body of a request; nil if the body is empty.
    func document(_ request: HTTPRequest) throws(ProblemDetails) -> JSONValue? {
        guard !request.body.isEmpty else { return nil }
        guard SessionShard.isJSON(request.fields) else {
            throw .unsupportedMediaType(request.fields.value(.contentType))
        }
        try request.requireNoCoding()
        do throws(JSONSyntaxError) {
            let range = try JSONScanner.document(request.body, nestingLimit: host.configuration.maxNesting)
            return JSONValue(bytes: request.body, range: range)
        } catch {
            throw .malformedJSON(error, in: request.body)
        }
    }

    /// Returns whether the content type is `application/json` or `application/*+json`, with any parameters.
    private static func isJSON(_ fields: HTTPFields) -> Bool {
        fields.withValue(.contentType) { value in
            let type = value.prefix {
                $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
            }
            return starts(type, with: "application/")
                && (ends(type, with: "/json") && type.count == 16 || ends(type, with: "+json"))
        } ?? false
    }

    private static func starts(_ text: Slice<UnsafeRawBufferPointer>, with start: StaticString) -> Bool {
        text.count >= start.utf8CodeUnitCount && equals(text.prefix(start.utf8CodeUnitCount), start)
    }

    private static func ends(_ text: Slice<UnsafeRawBufferPointer>, with end: StaticString) -> Bool {
        text.count >= end.utf8CodeUnitCount && equals(text.suffix(end.utf8CodeUnitCount), end)
    }

    /// Returns whether text equals a lower-case string, ignoring case.
    private static func equals(_ text: Slice<UnsafeRawBufferPointer>, _ expected: StaticString) -> Bool {
        for offset in 0..<expected.utf8CodeUnitCount {
            let byte = text[text.startIndex + offset]
            let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lower != expected.utf8Start[offset] { return false }
        }
        return true
    }
}

extension HTTPRequest {
    /// Throws if the body has a content coding (RFC 9110 §8.4), whether or not it looks like JSON: what the client has sent is not the
    /// value that the field says.
    package func requireNoCoding() throws(ProblemDetails) {
        guard fields.contains(.contentEncoding) else { return }
        for value in fields.values(.contentEncoding) where value.lowercased() != "identity" {
            throw .unsupportedCoding(value)
        }
    }
}

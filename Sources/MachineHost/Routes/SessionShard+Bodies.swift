import HTTPModel

extension SessionShard {
    /// The one JSON value that a request's body is; nil where there is no body.
    func document(_ request: HTTPRequest) throws(ProblemDetails) -> JSONValue? {
        guard !request.body.isEmpty else { return nil }
        guard SessionShard.isJSON(request.fields) else {
            throw .unsupportedMediaType(request.fields.value(.contentType))
        }
        do throws(JSONSyntaxError) {
            let range = try JSONScanner.document(request.body, nestingLimit: host.configuration.maxNesting)
            return JSONValue(bytes: request.body, range: range)
        } catch {
            throw .malformedJSON(error, in: request.body)
        }
    }

    /// Whether the content is said to be `application/json` or `application/*+json`, whatever its parameters.
    private static func isJSON(_ fields: HTTPFields) -> Bool {
        fields.withValue(.contentType) { value in
            let type = value.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            let lowercased = String(decoding: type, as: UTF8.self).lowercased()
            return lowercased == "application/json"
                || (lowercased.hasPrefix("application/") && lowercased.hasSuffix("+json"))
        } ?? false
    }
}

import HTTPModel

/// `/echo`: returns the content of the request, for any method, with a type that browsers do not interpret.
enum Echo {
    static func response(to request: HTTPRequest) -> HTTPResponse {
        var fields: HTTPFields = [
            .contentType: "application/octet-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            "echo-length": HTTPFieldValue(request.body.count),
        ]
        if let method = HTTPFieldValue(request.method.rawValue) { fields.append("echo-method", method) }
        return HTTPResponse(status: .ok, fields: fields, body: .bytes(request.body))
    }
}

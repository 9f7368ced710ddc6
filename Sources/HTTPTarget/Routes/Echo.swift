import HTTPModel

/// `/echo`: the request's content back, for every method, as bytes that no browser makes anything of.
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

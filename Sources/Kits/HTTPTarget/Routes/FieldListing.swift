import HTTPModel
import JSONText

/// `/headers`: returns the parsed request as JSON.
enum FieldListing {
    static func response(to request: HTTPRequest) -> HTTPResponse {
        var json: [UInt8] = []
        append("{\"method\":", request.method.rawValue, to: &json)
        append(",\"scheme\":", request.scheme, to: &json)
        append(",\"authority\":", request.authority, to: &json)
        append(",\"target\":", request.target, to: &json)
        json += Array(",\"fields\":[".utf8)
        var separator = ""
        request.fields.forEach { name, value in
            append("\(separator)[", String(decoding: name, as: UTF8.self), to: &json)
            append(",", String(decoding: value, as: UTF8.self), to: &json)
            json.append(UInt8(ascii: "]"))
            separator = ","
        }
        json += Array("]}\n".utf8)
        return HTTPResponse(status: .ok, fields: PrivateJSON.fields, body: .bytes(json))
    }

    private static func append(_ lead: String, _ text: String, to json: inout [UInt8]) {
        json += Array(lead.utf8)
        JSONWriter.append(text, to: &json)
    }
}

// The request may contain secrets and markup. So the response is not cached, not sniffed, and cannot run or be framed.
/// The fields of responses that contain data from the request.
enum PrivateJSON {
    static let fields: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    ]
}

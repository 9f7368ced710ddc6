import HTTPModel
import JSONText

/// `/cookies`: sets two cookies, each in its own field, and returns the received cookies.
///
/// HTTP/2 may split the field (RFC 9113 §8.2.3). The server joins the parts before it calls the responder.
enum CookieJar {
    static func response(to request: HTTPRequest) -> HTTPResponse {
        var json = Array("{\"cookies\":[".utf8)
        for (index, pair) in pairs(of: request).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "["))
            JSONWriter.append(pair.name, to: &json)
            json.append(UInt8(ascii: ","))
            JSONWriter.append(pair.value, to: &json)
            json.append(UInt8(ascii: "]"))
        }
        json += Array("]}\n".utf8)
        var fields = PrivateJSON.fields
        let isSecure = request.scheme == "https"
        for (name, path) in [("first", "/"), ("second", "/cookies")] {
            let cookie = "\(name)=1; Path=\(path); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
            if let value = HTTPFieldValue(cookie) { fields.append("set-cookie", value) }
        }
        return HTTPResponse(status: .ok, fields: fields, body: .bytes(json))
    }

    /// Returns the names and values of a `Cookie` field (RFC 6265 §5.4).
    private static func pairs(of request: HTTPRequest) -> [(name: String, value: String)] {
        request.fields.values(.cookie).flatMap { $0.split(separator: ";") }.map { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
        }
    }
}

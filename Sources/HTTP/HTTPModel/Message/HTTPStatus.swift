/// A status code (RFC 9110 §15) and its HTTP/1.1 reason phrase.
public struct HTTPStatus: Hashable, Sendable {
    /// The code, from 100 to 599.
    public let code: UInt16

    /// Creates a status from its code. A code outside 100...599 is a programming error and traps.
    public init(_ code: UInt16) {
        precondition((100...599).contains(code), "expected a status code from 100 to 599, got \(code)")
        self.code = code
    }

    /// Whether a response with this status never has content (RFC 9110 §6.4.1): 1xx, 204 and 304.
    public var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The client may send the body (RFC 9110 §10.1.1).
    public static let `continue` = HTTPStatus(100)
    /// The request succeeded.
    public static let ok = HTTPStatus(200)
    /// A resource was created; `Location` names it.
    public static let created = HTTPStatus(201)
    /// The request was accepted but is not completed yet.
    public static let accepted = HTTPStatus(202)
    /// The request succeeded and there is no content. An `EventSource` does not reconnect after it.
    public static let noContent = HTTPStatus(204)
    /// The response contains the requested ranges.
    public static let partialContent = HTTPStatus(206)
    /// The target has moved permanently.
    public static let movedPermanently = HTTPStatus(301)
    /// The target is temporarily at another address.
    public static let found = HTTPStatus(302)
    /// The client's copy is current.
    public static let notModified = HTTPStatus(304)
    /// The target is temporarily at another address; repeat the request with the same method.
    public static let temporaryRedirect = HTTPStatus(307)
    /// The target has moved permanently; repeat the request with the same method.
    public static let permanentRedirect = HTTPStatus(308)
    /// The request is malformed.
    public static let badRequest = HTTPStatus(400)
    /// Credentials are missing or invalid.
    public static let unauthorized = HTTPStatus(401)
    /// The credentials do not permit the request.
    public static let forbidden = HTTPStatus(403)
    /// The target does not exist.
    public static let notFound = HTTPStatus(404)
    /// The target does not support the method; `Allow` lists the methods that it supports.
    public static let methodNotAllowed = HTTPStatus(405)
    /// No available representation is acceptable.
    public static let notAcceptable = HTTPStatus(406)
    /// The request did not arrive in time.
    public static let requestTimeout = HTTPStatus(408)
    /// The request conflicts with the state of the target.
    public static let conflict = HTTPStatus(409)
    /// The target no longer exists, permanently.
    public static let gone = HTTPStatus(410)
    /// The request needs a `Content-Length`.
    public static let lengthRequired = HTTPStatus(411)
    /// A condition of the request is false.
    public static let preconditionFailed = HTTPStatus(412)
    /// The body exceeds the limit.
    public static let contentTooLarge = HTTPStatus(413)
    /// The target exceeds the limit.
    public static let uriTooLong = HTTPStatus(414)
    /// The media type of the body is not supported.
    public static let unsupportedMediaType = HTTPStatus(415)
    /// The range is outside the content.
    public static let rangeNotSatisfiable = HTTPStatus(416)
    /// The expectation is not supported.
    public static let expectationFailed = HTTPStatus(417)
    /// The server does not serve the requested host.
    public static let misdirectedRequest = HTTPStatus(421)
    /// The body is well-formed but invalid.
    public static let unprocessableContent = HTTPStatus(422)
    /// The client has exceeded a rate or a count. `Retry-After` states when to try again.
    public static let tooManyRequests = HTTPStatus(429)
    /// The head exceeds the limit.
    public static let headerFieldsTooLarge = HTTPStatus(431)
    /// The server failed.
    public static let internalServerError = HTTPStatus(500)
    /// The server does not support the request.
    public static let notImplemented = HTTPStatus(501)
    /// The upstream server sent an invalid response.
    public static let badGateway = HTTPStatus(502)
    /// The server is overloaded, draining or starting. `Retry-After` states when to try again.
    public static let serviceUnavailable = HTTPStatus(503)
    /// The upstream server did not respond in time.
    public static let gatewayTimeout = HTTPStatus(504)
    /// The version of HTTP is not supported.
    public static let versionNotSupported = HTTPStatus(505)

    /// The data that the server would have to store exceeds a limit.
    public static let insufficientStorage = HTTPStatus(507)

    /// The registered phrase, or an empty text for other codes.
    public var reason: StaticString {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        default: code < 500 ? clientErrorReason : serverErrorReason
        }
    }

    private var clientErrorReason: StaticString {
        switch code {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        default: ""
        }
    }

    private var serverErrorReason: StaticString {
        switch code {
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }
}

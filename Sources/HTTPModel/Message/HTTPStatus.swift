/// A status code (RFC 9110 §15) and the words that HTTP/1.1 writes behind it.
public struct HTTPStatus: Hashable, Sendable {
    /// The three digits, 100 to 599.
    public let code: UInt16

    /// A status by its number. A code outside 100...599 is a mistake of the caller and traps.
    public init(_ code: UInt16) {
        precondition((100...599).contains(code), "a status code is 100 to 599, this is \(code)")
        self.code = code
    }

    /// Whether an answer of this status never has content (RFC 9110 §6.4.1): 1xx, 204 and 304.
    public var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The body may come (RFC 9110 §10.1.1).
    public static let `continue` = HTTPStatus(100)
    /// The request was done.
    public static let ok = HTTPStatus(200)
    /// Something was made; `Location` says where.
    public static let created = HTTPStatus(201)
    /// Taken, not yet done.
    public static let accepted = HTTPStatus(202)
    /// Done, and there is nothing to show. Tells an `EventSource` to stop coming back.
    public static let noContent = HTTPStatus(204)
    /// A part that `Range` asked for.
    public static let partialContent = HTTPStatus(206)
    /// The target is elsewhere for good.
    public static let movedPermanently = HTTPStatus(301)
    /// The target is elsewhere today.
    public static let found = HTTPStatus(302)
    /// What the client has is current.
    public static let notModified = HTTPStatus(304)
    /// Elsewhere today, with the same method.
    public static let temporaryRedirect = HTTPStatus(307)
    /// Elsewhere for good, with the same method.
    public static let permanentRedirect = HTTPStatus(308)
    /// The request cannot be read.
    public static let badRequest = HTTPStatus(400)
    /// Credentials are missing or wrong.
    public static let unauthorized = HTTPStatus(401)
    /// The credentials do not reach this far.
    public static let forbidden = HTTPStatus(403)
    /// There is nothing at the target.
    public static let notFound = HTTPStatus(404)
    /// The target takes other methods; `Allow` names them.
    public static let methodNotAllowed = HTTPStatus(405)
    /// Nothing on offer is accepted.
    public static let notAcceptable = HTTPStatus(406)
    /// The request did not arrive in time.
    public static let requestTimeout = HTTPStatus(408)
    /// The state of the target speaks against it.
    public static let conflict = HTTPStatus(409)
    /// The target has ended and will not return.
    public static let gone = HTTPStatus(410)
    /// A length is asked for.
    public static let lengthRequired = HTTPStatus(411)
    /// A condition of the request does not hold.
    public static let preconditionFailed = HTTPStatus(412)
    /// The body is over the limit.
    public static let contentTooLarge = HTTPStatus(413)
    /// The target is over the limit.
    public static let uriTooLong = HTTPStatus(414)
    /// The body is of a type that is not taken.
    public static let unsupportedMediaType = HTTPStatus(415)
    /// The range lies outside.
    public static let rangeNotSatisfiable = HTTPStatus(416)
    /// An expectation that is not known here.
    public static let expectationFailed = HTTPStatus(417)
    /// The host named is not served here.
    public static let misdirectedRequest = HTTPStatus(421)
    /// The body can be read and makes no sense here.
    public static let unprocessableContent = HTTPStatus(422)
    /// Over a rate or a count; `Retry-After` says when.
    public static let tooManyRequests = HTTPStatus(429)
    /// The head is over the limit.
    public static let headerFieldsTooLarge = HTTPStatus(431)
    /// The server failed.
    public static let internalServerError = HTTPStatus(500)
    /// Not known here.
    public static let notImplemented = HTTPStatus(501)
    /// The server behind answered nonsense.
    public static let badGateway = HTTPStatus(502)
    /// Full, draining or starting; `Retry-After` says when.
    public static let serviceUnavailable = HTTPStatus(503)
    /// The server behind did not answer.
    public static let gatewayTimeout = HTTPStatus(504)
    /// A version of HTTP that is not spoken here.
    public static let versionNotSupported = HTTPStatus(505)

    /// What the request needs to store is over a limit.
    public static let insufficientStorage = HTTPStatus(507)

    /// The registered phrase, or an empty one for a code that has none here.
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

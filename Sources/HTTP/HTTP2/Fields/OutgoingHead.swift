import CNGHTTP2
import HTTPModel

/// The fields of a message in the form that the library takes. The buffers are reused for the next message.
struct OutgoingHead {
    private var bytes: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []
    private var entries: [nghttp2_nv] = []

    /// Stores the fields of a response. Fields that describe an HTTP/1.1 connection are omitted (RFC 9113 §8.2.2), and
    /// so are `Date` and `Content-Length`, which the server writes. A length that describes content which is not sent
    /// is kept.
    mutating func prepare(_ response: HTTPResponse, isHead: Bool, date: [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        append(":status", number: Int(response.status.code))
        let describesAbsent = OutgoingHead.describesAbsentContent(response, isHead: isHead)
        response.fields.forEach { name, value in
            guard !OutgoingHead.isLeftOut(name) || describesAbsent && name.isEqual(to: "content-length") else {
                return
            }
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: value)
            lengths.append((name.count, value.count))
        }
        if let length = OutgoingHead.contentLength(response, isHead: isHead) {
            append("content-length", number: length)
        }
        if !date.isEmpty {
            bytes.append(contentsOf: "date".utf8)
            bytes.append(contentsOf: date)
            lengths.append((4, date.count))
        }
    }

    /// Stores the fields of a request. Fields that describe an HTTP/1.1 connection are omitted, and so is `Expect`: the
    /// content follows in any case.
    ///
    /// - Parameters:
    ///   - request: The request, which is not `CONNECT`.
    ///   - contentLength: The length of its content if that is known. `nil` if there is no content either.
    mutating func prepare(_ request: HTTPRequest, contentLength: Int?) {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        append(":method", request.method.rawValue)
        append(":scheme", request.scheme)
        if !request.authority.isEmpty { append(":authority", request.authority) }
        append(":path", request.target)
        request.fields.forEach { name, value in
            guard !OutgoingHead.isLeftOut(name, value, ofRequestTo: request.authority) else { return }
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: value)
            lengths.append((name.count, value.count))
        }
        if let contentLength { append("content-length", number: contentLength) }
    }

    /// Returns the size of a request's fields, each with 32 extra bytes (RFC 9113 §6.5.2), including those that are
    /// omitted.
    static func size(of request: HTTPRequest) -> Int {
        // Pseudo-fields and `Content-Length`, whose names and numbers have up to 64 bytes.
        var size =
            5 * 32 + 64 + request.method.rawValue.utf8.count + request.scheme.utf8.count
            + request.authority.utf8.count + request.target.utf8.count
        request.fields.forEach { name, value in size += name.count + value.count + 32 }
        return size
    }

    mutating func prepare(interim status: HTTPStatus) {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        append(":status", number: Int(status.code))
    }

    /// Stores trailer fields, omitting those that are not allowed there; returns whether there are any.
    mutating func prepare(trailers: HTTPFields) -> Bool {
        trailers.forEach { name, value in
            guard HTTPTrailers.allow(String(decoding: name, as: UTF8.self)) else { return }
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: value)
            lengths.append((name.count, value.count))
        }
        return !lengths.isEmpty
    }

    /// Calls a closure with the fields for the library, which copies them.
    mutating func withEntries(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Void) {
        entries.removeAll(keepingCapacity: true)
        bytes.withUnsafeMutableBufferPointer { all in
            guard var next = all.baseAddress else { return }
            for (name, value) in lengths {
                // Pointers into `bytes`: they are valid only inside this closure, in which `bytes` cannot grow.
                entries.append(
                    nghttp2_nv(
                        name: next, value: next + name, namelen: name, valuelen: value,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
                next += name + value
            }
            body(entries, entries.count)
        }
    }

    private mutating func append(_ name: StaticString, number: Int) { append(name, String(number)) }

    private mutating func append(_ name: StaticString, _ value: String) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        lengths.append((name.utf8CodeUnitCount, bytes.count - start))
    }

    private static func contentLength(_ response: HTTPResponse, isHead: Bool) -> Int? {
        guard !response.status.forbidsBody else { return nil }
        switch response.body {
        case .empty:
            // A content type indicates content that is not produced for HEAD; if its length is known, the response
            // already has a Content-Length field.
            let fields = response.fields
            return isHead && (fields.contains(.contentLength) || fields.contains(.contentType)) ? nil : 0
        case .bytes(let bytes): return bytes.count
        case .stream(let body): return body.contentLength
        }
    }

    private static func describesAbsentContent(_ response: HTTPResponse, isHead: Bool) -> Bool {
        guard case .empty = response.body else { return false }
        return isHead || response.status == .notModified
    }

    private static func isLeftOut(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 4: name.isEqual(to: "date")
        case 14: name.isEqual(to: "content-length")
        default: name.isConnectionField
        }
    }

    private static func isLeftOut(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, ofRequestTo authority: String
    ) -> Bool {
        switch name.count {
        case 2: name.isEqual(to: "te") && !value.isEqual(to: "trailers")
        // `:authority` has the same value.
        case 4: name.isEqual(to: "host") && !authority.isEmpty
        case 6: name.isEqual(to: "expect")
        case 14: name.isEqual(to: "content-length")
        default: name.isConnectionField
        }
    }
}

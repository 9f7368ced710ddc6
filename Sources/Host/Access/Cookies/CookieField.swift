import HTTPModel

/// Finds a cookie in the fields of a request (RFC 6265 §4.2).
enum CookieField {
    enum Search<Result> {
        case none
        /// The result of the closure for the only cookie with the name.
        case one(Result)
        /// More than one cookie. A page of a subdomain can add cookies, so none of them is trusted.
        case several
    }

    /// Calls a closure with the value of the only cookie with a name. HTTP/2 clients may split cookies into several fields.
    static func find<Result>(
        _ name: String, in fields: HTTPFields, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Search<Result> {
        var name = name
        var count = 0
        var result: Result?
        name.withUTF8 { name in
            fields.forEach { field, value in
                guard field.elementsEqual("cookie".utf8) else { return }
                for pair in value.split(separator: UInt8(ascii: ";")) {
                    guard let content = CookieField.value(of: pair, name) else { continue }
                    count += 1
                    if count == 1 { result = body(content) }
                }
            }
        }
        guard count < 2 else { return .several }
        return result.map { .one($0) } ?? .none
    }

    private static func value(
        of pair: Slice<UnsafeRawBufferPointer>, _ name: UnsafeBufferPointer<UInt8>
    ) -> UnsafeRawBufferPointer? {
        var pair = pair
        while let first = pair.first, first == 0x20 || first == 0x09 { pair = pair.dropFirst() }
        while let last = pair.last, last == 0x20 || last == 0x09 { pair = pair.dropLast() }
        guard pair.count > name.count, pair.starts(with: name), pair[pair.startIndex + name.count] == UInt8(ascii: "=")
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: pair.dropFirst(name.count + 1))
    }
}

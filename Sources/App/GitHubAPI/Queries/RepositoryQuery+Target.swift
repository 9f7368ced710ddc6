extension RepositoryQuery {
    /// The path and query below the base address of the API, percent-encoded.
    package var target: String {
        // Everything but unreserved characters (RFC 3986 §2.3) is escaped, including `+` and `&`, which are part of the
        // text.
        var target = "/search/repositories?q=" + Self.escaped(text)
        if sort != .bestMatch {
            target += "&sort=\(sort.rawValue)&order=\(order.rawValue)"
        }
        return target + "&page=\(page)&per_page=\(perPage)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

import HTTP1

private let head = "POST / HTTP/1.1\r\nHost: h\r\n"

// Transfer codings (RFC 9112 §6.1, §6.3) and chunk extensions (§7.1.1).
extension Sample {
    static let transferCodings =
        rejectedTransferCodings.map { Sample.rejected("\(head)\($0)\r\n\r\n0\r\n\r\n", $1) }
        + ["Chunked", "chunked", "\tCHUNKED "].map {
            Sample.accepted("\(head)Transfer-Encoding: \($0)\r\n\r\n1\r\nx\r\n0\r\n\r\n", "POST / h")
        } + [
            .rejected("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .transferCoding),
            .rejected("POST / HTTP/1.0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", .transferCoding),
        ]

    private static let rejectedTransferCodings: [(String, HTTP1Error)] =
        [
            "", "gzip", "identity", "xchunked", "chunked, gzip", "chunked,identity", "chunked, chunked",
            "chunked, gzip, chunked", "gzip, chunked, chunked", "CHUNKED , x", "chunked;q=1", "gzip, chunked;q=1",
            "chunked;", ",chunked", "chunked,", "gzip,,chunked", "chunked chunked", "\"chunked\"", "gzip; chunked",
            "gzip;a=\", chunked", "gzip;a=, chunked", "gzip;a=\"b\\\", chunked", "x=chunked", "gzip;a=\"b\" c, chunked",
            "chunked\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: x",
            "chunked\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding:",
        ].map { ("Transfer-Encoding: \($0)", .transferCoding) }
        + [
            "gzip, chunked", "identity, chunked", "gzip , deflate ,\tCHUNKED", "x\r\nTransfer-Encoding: chunked",
            "gzip;level=9, chunked", "x ; a = \"b, \\\"c\\\" ;d\" ; e=f, chunked",
        ].map { ("Transfer-Encoding: \($0)", .transferCodingUnknown) }
        + [
            ("Transfer-Encoding: \u{b}chunked", .fieldValue),
            ("Transfer-Encoding: chunked\r\nContent-Length: 1", .lengthBesideCoding),
            ("Content-Length: 1\r\nTransfer-Encoding: chunked", .lengthBesideCoding),
            ("Content-Length: 1\r\nTransfer-Encoding: gzip", .lengthBesideCoding),
        ]

    static let chunkExtensions =
        [
            ";a", ";a=b", ";a=\"\"", ";a=\"b;c\"", " ;\ta \t=  b", ";a;b=c;d=\"e\"", ";a=\"\\\"\\\\\\ \\\t\"",
            ";a=\"\u{e9}\\\u{e9}\t\"", " ; a", ";a ;b", ";!#$%&'*+-.^_`|~09aZ=!#$",
        ].map { text in
            Sample.accepted(
                "\(head)Transfer-Encoding: chunked\r\n\r\n1\(text)\r\nx\r\n0\(text)\r\n\r\n", "POST / h")
        }
        + [
            ";", ";;", "; ", ";a;", ";a; ", ";=", ";=b", ";bad[=x", ";a=", ";a= ", ";a=b=c", ";a==b", ";a=b c", ";a b",
            ";a=\"", ";a=\"b", ";a=\"b\\", ";a=\"b\\\"", ";a=\"b\"c", ";a=b\"c\"", ";\"a\"", ";\"a\"=b", ";a=[b]",
            ";a=(b)",
            ";\u{ff}", ";a=\u{ff}", ";a\u{ff}", ";a=b\u{e9}", ";a,b", ";a=b,c", ";a@", ";a/b", ";a:b", ";\0",
            ";a=\"\0\"",
            ";a=\"\u{7f}\"", ";a=\"\\\u{1}\"", ";a=\"\u{1}\"", ";a ", ";a=b ", ";a=\"b\"\t", ";a= =b", " ;;a",
        ].flatMap { text in
            ["1", "0"].map {
                Sample.rejected(
                    "\(head)Transfer-Encoding: chunked\r\n\r\n\($0)\(text)\r\nx\r\n0\r\n\r\n", .chunkExtension)
            }
        }
}

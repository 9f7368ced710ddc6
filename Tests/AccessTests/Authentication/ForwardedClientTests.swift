import HTTPModel
import Testing

@testable import Access

/// What trusted proxies state about their clients.
@Suite struct ForwardedClientTests {
    private typealias Fields = [(HTTPFieldName, HTTPFieldValue)]

    private func resolved(
        _ fields: Fields, in field: ClientField = .xForwardedFor, from address: String = "10.0.0.1",
        subject: String? = nil
    ) -> HTTPRequest {
        var all = HTTPFields()
        for (name, value) in fields { all.append(name, value) }
        let proxies = TrustedProxies(["10.0.0.0/8", "127.0.0.1", "unix"].compactMap { AddressRange($0) })
        return ForwardedClient(proxies, in: field, user: "x-forwarded-user")
            .resolved(.test(scheme: "http", fields: all, address: address, subject: subject))
    }

    private func address(_ fields: Fields, in field: ClientField = .xForwardedFor) -> String {
        resolved(fields, in: field).peer.address
    }

    private func limit(_ fields: Fields, from proxy: String = "127.0.0.1") -> LimitKey? {
        LimitKeys(.anonymous, peer: resolved(fields, from: proxy).peer).first
    }

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("192.0.2.7, 10.0.0.2", "192.0.2.7"), ("203.0.113.9, 192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:4711", "192.0.2.7"), ("[2001:db8::7]:4711", "2001:db8::7"), ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"), ("fe80::7%eth0", "fe80::7"), ("[fe80::7%eth0]:1", "fe80::7"),
            ("::ffff:192.0.2.7", "192.0.2.7"), ("192.0.2.9 ,\t192.0.2.7 , 10.0.0.2", "192.0.2.7"),
            ("10.0.0.3,10.0.0.2", "10.0.0.3"),
            ("unknown, 192.0.2.7", "192.0.2.7"), ("\", 192.0.2.7", "192.0.2.7"),
            ("1.1.1.1,\u{301}, 192.0.2.7", "192.0.2.7"),
        ] as [(HTTPFieldValue, String)])
    func `the client is the last address that is not a proxy's`(value: HTTPFieldValue, client: String) {
        #expect(address([("x-forwarded-for", value)]) == client)
    }

    @Test(
        arguments: [
            "", "unknown", "_hidden", "192.0.2.7,,", "192.0.2.7,", "192.0.2.7, nonsense, 10.0.0.2",
            "192.0.2.7, 10.0.0.2,unix",
            "192.0.2", "192.0.2.7.", "192.0.2.256", "192.0.2.7:", "192.0.2.7:x", "192.0.2.7:1:2", "192.0.2.7%eth0",
            "[192.0.2.7]", "[2001:db8::7", "[2001:db8::7]x", "[2001:db8::7]:", "[]", "[", ":1", "%", "fe80:%eth0",
            "\"192.0.2.7\"", "192.0.2.7 10.0.0.2", "192.0.2.7;10.0.0.2", "client.example", "for=192.0.2.7",
        ] as [HTTPFieldValue])
    func `a client that its proxy does not name is unknown, and not the proxy`(value: HTTPFieldValue) {
        let peer = resolved([("x-forwarded-for", value)], from: "127.0.0.1").peer
        #expect(peer.address == "unknown" && peer.proxy?.address == "127.0.0.1")
        #expect(limit([("x-forwarded-for", value)]) != nil)
        #expect(limit([("x-forwarded-for", value)]) == limit([]))
    }

    @Test func `every client of a proxy is limited, also one that the proxy does not name`() {
        // Neither the proxy nor a local client of it is.
        for proxy in ["127.0.0.1", "unix"] {
            #expect(limit([], from: proxy) != nil)
            #expect(limit([("x-forwarded-for", "127.0.0.1")], from: proxy) != nil)
            #expect(limit([("x-forwarded-for", "::1")], from: proxy) != nil)
        }
        #expect(limit([("x-forwarded-for", "192.0.2.7")]) != limit([]))
        #expect(limit([("x-forwarded-for", "192.0.2.7")]) != limit([("x-forwarded-for", "192.0.2.8")]))
        #expect(limit([], from: "127.0.0.1") == limit([], from: "10.0.0.1"))
    }

    @Test func `several fields are one list`() {
        #expect(address([("x-forwarded-for", "203.0.113.9"), ("x-forwarded-for", "192.0.2.7")]) == "192.0.2.7")
        #expect(address([("x-forwarded-for", "192.0.2.7"), ("x-forwarded-for", "10.0.0.2, 10.0.0.3")]) == "192.0.2.7")
        #expect(address([("x-forwarded-for", "192.0.2.7"), ("x-forwarded-for", "")]) == "unknown")
        let forwarded: Fields = [("forwarded", "for=203.0.113.9"), ("forwarded", "for=192.0.2.7, for=10.0.0.2")]
        #expect(address(forwarded, in: .forwarded) == "192.0.2.7")
    }

    @Test(
        arguments: [
            ("for=192.0.2.7", "192.0.2.7"), ("for=192.0.2.7;proto=https", "192.0.2.7"), ("FOR=192.0.2.7", "192.0.2.7"),
            ("for=192.0.2.9, For=\"[2001:db8::7]:1\"; by=10.0.0.1", "2001:db8::7"),
            ("for=\"192.0.2.7:1\"", "192.0.2.7"),
            ("for=\"[2001:db8::7]:_port\"", "2001:db8::7"), ("for=\"[fe80::7%25eth0]\"", "fe80::7"),
            ("by=10.0.0.1 ;\thost=\"a:1\"; for=192.0.2.7", "192.0.2.7"), ("for=192.0.2.7, for=10.0.0.2", "192.0.2.7"),
            ("for=\", for=192.0.2.7", "192.0.2.7"), ("for=1.1.1.1;x=\", for=\"192.0.2.7\"", "192.0.2.7"),
            ("for=1.1.1.1;x=\"\\, for=192.0.2.7", "192.0.2.7"),
        ] as [(HTTPFieldValue, String)])
    func `the standard field has the same meaning`(value: HTTPFieldValue, client: String) {
        #expect(address([("forwarded", value)], in: .forwarded) == client)
    }

    @Test(
        arguments: [
            "", "for=", "for", "192.0.2.7", "for=unknown", "for=_hidden", "for=\"_hidden:1\"",
            "for=192.0.2.7, by=10.0.0.1",
            "for=192.0.2.7,", "for=192.0.2.7;for=192.0.2.8", "for=192.0.2.7;", "for=192.0.2.7;x", "for=\"192.0.2.7",
            "for=192.0.2.7\"",
            "for=\"", "for=\"192.0.2.7\"x", "for=\"192.0.2\\.7\"", "for=192.0.2.7;host=\"a, for=1.1.1.1\"",
            "for=192.0.2.7;host=\"a\\\", for=1.1.1.1;x=\\\"\"", "for=\"[192.0.2.7]\"", "fo r=192.0.2.7",
            "for=192.0.2.7 x",
        ] as [HTTPFieldValue])
    func `an element of the standard field that is not valid names nobody`(value: HTTPFieldValue) {
        #expect(address([("forwarded", value)], in: .forwarded) == "unknown")
    }

    @Test func `a client cannot choose its address with the field that its proxy does not maintain`() {
        let own = resolved([("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=1.1.1.1;proto=https")])
        #expect(own.peer.address == "192.0.2.7" && own.scheme == "http")
        #expect(!own.fields.contains("forwarded") && own.fields.contains("x-forwarded-for"))
        #expect(address([("forwarded", "for=1.1.1.1")]) == "unknown")
        let fields: Fields = [
            ("forwarded", "for=192.0.2.7"), ("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "evil.example"),
        ]
        let standard = resolved(fields, in: .forwarded)
        #expect(standard.peer.address == "192.0.2.7" && standard.scheme == "http")
        #expect(standard.fields == ["forwarded": "for=192.0.2.7"])
    }

    @Test func `a very long list is read from its end`() {
        for filler in ["1,", ",", "10.0.0.2,", "for=\"", "\"", ";", "[", "%", ":"] {
            let claims = String(repeating: filler, count: 64 << 10 / filler.utf8.count)
            for (field, own) in [(ClientField.xForwardedFor, "192.0.2.7"), (.forwarded, "for=192.0.2.7")] {
                let value = HTTPFieldValue(claims + ", " + own) ?? ""
                let name = HTTPFieldName(field.rawValue) ?? "x"
                #expect(address([(name, value)], in: field) == "192.0.2.7", "\(filler)")
                #expect(address([(name, HTTPFieldValue(claims) ?? "")], in: field) != "192.0.2.7", "\(filler)")
            }
        }
    }

    @Test(arguments: ClientField.allCases)
    func `the fields of other peers are removed`(field: ClientField) {
        let fields: Fields = [
            ("x-forwarded-for", "192.0.2.9"), ("forwarded", "for=192.0.2.9"), ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "a"), ("x-forwarded-user", "ada"), ("accept", "*/*"),
        ]
        let request = resolved(fields, in: field, from: "192.0.2.7")
        #expect(request.peer.address == "192.0.2.7" && request.peer.proxy == nil && request.scheme == "http")
        #expect(request.fields == [.accept: "*/*"])
    }

    @Test func `the scheme is that of the last proxy`() {
        #expect(resolved([("x-forwarded-proto", "https")]).scheme == "https")
        #expect(resolved([("x-forwarded-proto", "http, HTTPS")]).scheme == "https")
        #expect(resolved([("x-forwarded-proto", "https"), ("x-forwarded-proto", "http")]).scheme == "http")
        for value in ["ftp", "", "https,", "https, ftp", "\"https\""] as [HTTPFieldValue] {
            #expect(resolved([("x-forwarded-proto", value)]).scheme == "http", "\(value)")
        }
    }

    @Test func `the scheme of the standard field is stated by the proxy that names the client`() {
        func scheme(_ value: HTTPFieldValue) -> String { resolved([("forwarded", value)], in: .forwarded).scheme }
        #expect(scheme("for=192.0.2.7;proto=https") == "https")
        #expect(scheme("for=192.0.2.7;Proto=\"HTTPS\", for=10.0.0.2;proto=http") == "https")
        #expect(scheme("for=unknown;proto=https") == "https")
        for value in [
            "for=1.1.1.1;proto=https, for=192.0.2.7", "for=192.0.2.7;proto=ftp", "for=192.0.2.7;proto=https;proto=http",
            "for=192.0.2.7;proto=\"https", "proto=https,", "for=1.1.1.1;proto=https, x",
        ] as [HTTPFieldValue] {
            #expect(scheme(value) == "http", "\(value)")
        }
    }

    @Test func `the client of a proxy keeps its connection, and the proxy stays trusted`() {
        let request = resolved([("x-forwarded-for", "192.0.2.7"), ("x-forwarded-user", "ada")])
        #expect(request.peer.proxy?.address == "10.0.0.1")
        #expect(request.fields.value("x-forwarded-user") == "ada")
        var configuration = AccessConfiguration(hasher: PrincipalHasher(key: .random()))
        let proxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap { $0 })
        configuration.proxyField = ProxyField(name: "x-forwarded-user", proxies: proxies)
        var authenticator = Authenticator(configuration)
        #expect(authenticator.authenticate(request, at: UnixTime(seconds: 1)).principal?.id == "ada")
    }

    @Test func `the certificate of a proxy is that of none of its clients`() {
        var configuration = AccessConfiguration(hasher: PrincipalHasher(key: .random()))
        configuration.certificates = .subject
        let proxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap { $0 })
        configuration.proxyField = ProxyField(name: "x-forwarded-user", proxies: proxies)
        var authenticator = Authenticator(configuration)
        for fields in [
            [], [("x-forwarded-for", "192.0.2.7")], [("x-forwarded-for", "unknown")], [("forwarded", "for=192.0.2.7")],
            [("x-forwarded-user", "")], [("x-forwarded-for", "192.0.2.7"), ("x-forwarded-user", "")],
        ] as [Fields] {
            let forwarded = resolved(fields, subject: "CN=proxy")
            #expect(forwarded.peer.certificateSubject == nil && forwarded.peer.certificateNames == [])
            #expect(authenticator.authenticate(forwarded, at: UnixTime(seconds: 1)).isAnonymous, "\(fields)")
            let other = resolved(fields, from: "192.0.2.9", subject: "CN=ada")
            #expect(authenticator.authenticate(other, at: UnixTime(seconds: 1)).principal?.id == "CN=ada")
        }
    }
}

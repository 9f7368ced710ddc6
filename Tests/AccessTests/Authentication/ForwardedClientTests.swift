import Access
import HTTPModel
import Testing

/// What trusted proxies state about their clients.
@Suite struct ForwardedClientTests {
    private func reader(_ ranges: [String] = ["10.0.0.0/8", "unix"]) -> ForwardedClient {
        ForwardedClient(TrustedProxies(ranges.compactMap { AddressRange($0) }), field: "x-forwarded-user")
    }

    private func resolved(_ fields: [(HTTPFieldName, HTTPFieldValue)], from address: String = "10.0.0.1") -> HTTPRequest
    {
        var all = HTTPFields()
        for (name, value) in fields { all.append(name, value) }
        return reader().resolved(.test(scheme: "http", fields: all, address: address))
    }

    private func address(_ fields: [(HTTPFieldName, HTTPFieldValue)]) -> String { resolved(fields).peer.address }

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("192.0.2.7, 10.0.0.2", "192.0.2.7"), ("203.0.113.9, 192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:4711", "192.0.2.7"), ("[2001:db8::7]:4711", "2001:db8::7"), ("2001:db8::7", "2001:db8::7"),
            ("10.0.0.3,10.0.0.2", "10.0.0.3"), ("unknown", "10.0.0.1"), ("", "10.0.0.1"),
            ("192.0.2.7, nonsense, 10.0.0.2", "10.0.0.2"), ("192.0.2.7,,", "10.0.0.1"),
        ] as [(HTTPFieldValue, String)])
    func `the client is the last address that is not a proxy's`(value: HTTPFieldValue, client: String) {
        #expect(address([("x-forwarded-for", value)]) == client)
    }

    @Test func `several fields are one list, and the standard field has the same meaning`() {
        #expect(address([("x-forwarded-for", "203.0.113.9"), ("x-forwarded-for", "192.0.2.7")]) == "192.0.2.7")
        #expect(address([("forwarded", "for=192.0.2.7;proto=https")]) == "192.0.2.7")
        #expect(address([("forwarded", "for=192.0.2.9, For=\"[2001:db8::7]:1\"; by=10.0.0.1")]) == "2001:db8::7")
        #expect(address([("forwarded", "for=192.0.2.7, by=10.0.0.1")]) == "10.0.0.1")
        #expect(address([("forwarded", "for=_hidden")]) == "10.0.0.1")
    }

    @Test func `a client cannot choose its address with the field that its proxy does not maintain`() {
        #expect(address([("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=192.0.2.8")]) == "10.0.0.1")
        #expect(address([("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=192.0.2.7")]) == "192.0.2.7")
    }

    @Test func `the fields of other peers are removed`() {
        let request = resolved(
            [
                ("x-forwarded-for", "192.0.2.9"), ("forwarded", "for=192.0.2.9"), ("x-forwarded-proto", "https"),
                ("x-forwarded-host", "a"), ("x-forwarded-user", "ada"), ("accept", "*/*"),
            ], from: "192.0.2.7")
        #expect(request.peer.address == "192.0.2.7" && request.scheme == "http")
        #expect(request.fields == [.accept: "*/*"])
    }

    @Test func `the scheme is that of the last proxy`() {
        #expect(resolved([("x-forwarded-proto", "https")]).scheme == "https")
        #expect(resolved([("x-forwarded-proto", "http, HTTPS")]).scheme == "https")
        #expect(resolved([("x-forwarded-proto", "ftp")]).scheme == "http")
    }

    @Test func `the client of a proxy keeps its connection, and the proxy stays trusted`() {
        let request = resolved([("x-forwarded-for", "192.0.2.7"), ("x-forwarded-user", "ada")])
        #expect(request.peer.proxy?.address == "10.0.0.1")
        #expect(request.fields.value("x-forwarded-user") == "ada")
        let again = reader().resolved(request)
        #expect(again.peer.address == "192.0.2.7" && again.peer.proxy?.address == "10.0.0.1")
        var configuration = AccessConfiguration(hasher: PrincipalHasher(key: .random()))
        let proxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap { $0 })
        configuration.proxyField = ProxyField(name: "x-forwarded-user", proxies: proxies)
        var authenticator = Authenticator(configuration)
        #expect(authenticator.authenticate(request, at: UnixTime(seconds: 1)).principal?.id == "ada")
    }

    @Test(
        arguments: [
            ["192.0.2.7", nil], [nil, "for=192.0.2.7"], ["192.0.2.7", "for=192.0.2.8"], ["unknown", nil], ["", nil],
        ] as [[HTTPFieldValue?]])
    func `the certificate of a proxy is not that of its clients`(values: [HTTPFieldValue?]) {
        var fields = HTTPFields()
        if let value = values[0] { fields.append("x-forwarded-for", value) }
        if let value = values[1] { fields.append("forwarded", value) }
        var configuration = AccessConfiguration(hasher: PrincipalHasher(key: .random()))
        configuration.certificates = .subject
        var authenticator = Authenticator(configuration)
        let request = HTTPRequest.test(fields: fields, address: "10.0.0.1", subject: "CN=proxy", names: ["DNS:proxy"])
        let forwarded = reader().resolved(request)
        #expect(forwarded.peer.certificateSubject == nil && forwarded.peer.certificateNames == [])
        #expect(authenticator.authenticate(forwarded, at: UnixTime(seconds: 1)).isAnonymous)
        // What the proxy asks for itself, such as the state of the server, and what others send.
        let own = reader().resolved(.test(address: "10.0.0.1", subject: "CN=proxy"))
        #expect(authenticator.authenticate(own, at: UnixTime(seconds: 1)).principal?.id == "CN=proxy")
        let other = reader().resolved(.test(fields: fields, address: "192.0.2.9", subject: "CN=ada"))
        #expect(authenticator.authenticate(other, at: UnixTime(seconds: 1)).principal?.id == "CN=ada")
    }
}

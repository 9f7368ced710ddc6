import HTTPModel
import Testing

@testable import Access

@Suite struct AuthenticatorTests {
    private let now = TestToken.now

    private func configuration(_ change: (inout AccessConfiguration) throws -> Void = { _ in }) throws
        -> AccessConfiguration
    {
        var configuration = AccessConfiguration(hasher: TestHash.hasher)
        configuration.tokens = try TestToken.verifier()
        configuration.tickets = TicketAuthority(keys: TestHash.keys)
        configuration.cookies = CookieAuthority(keys: TestHash.keys)
        try change(&configuration)
        return configuration
    }

    private func ticket(_ session: UInt64 = 1) throws -> Ticket {
        try Ticket(
            session: SessionDigest(high: 0, low: session), rights: .read, generation: 0, expires: now + .seconds(60))
    }

    private func cookie(_ id: Principal? = nil, isSecure: Bool = true) throws -> (principal: Principal, pair: String) {
        let authority = CookieAuthority(keys: TestHash.keys)
        let principal = id ?? authority.newPrincipal()
        let field = try #require(authority.cookie(for: principal, isSecure: isSecure, at: now)).string
        return (principal, String(field.prefix { $0 != ";" }))
    }

    @Test func `a request without credentials is anonymous`() throws {
        var authenticator = Authenticator(try configuration())
        #expect(authenticator.authenticate(.test(), at: now).isAnonymous)
        #expect(authenticator.authenticate(.test(.get, "/?a=b"), at: now).isAnonymous)
        #expect(authenticator.authenticate(.test(fields: ["cookie": "a=b", "accept": "*/*"]), at: now).isAnonymous)
    }

    @Test func `a server without methods ignores credentials`() throws {
        var authenticator = Authenticator(AccessConfiguration(hasher: TestHash.hasher))
        for value in ["Basic YTpi", "Bearer x", "Ticket x", ""] {
            #expect(authenticator.authenticate(.authorized(value), at: now).isAnonymous)
        }
    }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER  "])
    func `a token identifies its subject, and is remembered`(scheme: String) throws {
        var authenticator = Authenticator(try configuration())
        let request = HTTPRequest.authorized(scheme + TestToken.signed())
        for _ in 0..<2 {
            let authentication = authenticator.authenticate(request, at: now)
            #expect(authentication.identity == "token \(TestToken.issuer) ada")
            #expect(!authentication.isAmbient)
        }
        #expect(authenticator.cachedCount == 1)
        let expiry = UnixTime(seconds: 1_800_000_300)
        #expect(authenticator.authenticate(request, at: expiry - .milliseconds(1)).principal != nil)
        #expect(authenticator.authenticate(request, at: expiry).rejection == .expired)
    }

    @Test func `invalid tokens are not remembered`() throws {
        var authenticator = Authenticator(try configuration())
        let request = HTTPRequest.authorized("Bearer " + TestToken.signed(secret: [1]))
        #expect(authenticator.authenticate(request, at: now).rejection == .signature)
        #expect(authenticator.cachedCount == 0)
    }

    @Test func `tokens of a client with too many rejections are not verified, unless they were before`() throws {
        let (key, text) = try APIKeyFile("").adding("bob")
        let rejections = RateTable(RateLimit("rejected-credentials", quota: 2, window: .seconds(10)))
        var authenticator = Authenticator(
            try configuration { $0.apiKeys = APIKeys(try APIKeyFile(text), hasher: TestHash.hasher) },
            rejections: rejections)
        let known = HTTPRequest.authorized("Bearer " + TestToken.signed())
        let new = HTTPRequest.authorized("Bearer " + TestToken.signed(header: #"{"alg":"HS256","typ":"JWT"}"#))
        let forged = HTTPRequest.authorized("Bearer " + TestToken.signed(secret: [1]))
        let start = MonotonicTime(nanoseconds: 0) + .seconds(100)
        #expect(authenticator.authenticate(known, at: now, clock: start).principal?.id == "ada")
        let keys = LimitKeys(.anonymous, peer: forged.peer)
        for _ in 0..<2 {
            #expect(authenticator.authenticate(forged, at: now, clock: start).rejection == .signature)
            #expect(rejections.take(for: keys, at: start)?.decision.isAllowed == true)
        }
        for request in [forged, new] {
            #expect(authenticator.authenticate(request, at: now, clock: start).isLimited)
        }
        // Another connection with a token that was verified, and what costs little to verify.
        var other = known
        other.peer = HTTPPeer(address: known.peer.address, port: 2)
        #expect(authenticator.authenticate(other, at: now, clock: start).principal?.id == "ada")
        #expect(authenticator.authenticate(.authorized("ApiKey " + key), at: now, clock: start).principal?.id == "bob")
        #expect(authenticator.authenticate(.authorized("ApiKey x"), at: now, clock: start).rejection != nil)
        // Other addresses, and the same one when a token of the rate has come back.
        let elsewhere = HTTPRequest.test(fields: new.fields, address: "192.0.2.8")
        #expect(authenticator.authenticate(elsewhere, at: now, clock: start).principal?.id == "ada")
        // A reload creates another authenticator, which counts with the same table.
        authenticator = Authenticator(try configuration(), rejections: rejections)
        #expect(authenticator.authenticate(new, at: now, clock: start).isLimited)
        #expect(authenticator.authenticate(new, at: now, clock: start + .seconds(5)).principal?.id == "ada")
    }

    @Test(arguments: ["Basic YTpi", "Digest x", "Bearer", "Ticket", "ApiKey granary_x", "Beare x", "\u{FF}"])
    func `another scheme, or an empty credential, is rejected`(value: String) throws {
        var authenticator = Authenticator(try configuration())
        #expect(authenticator.authenticate(.authorized(value), at: now).rejection != nil)
    }

    @Test func `two explicit credentials conflict`() throws {
        var authenticator = Authenticator(try configuration())
        let text = TicketAuthority(keys: TestHash.keys).text(of: try ticket()).secret
        let token = HTTPFieldValue("Bearer " + TestToken.signed()) ?? ""
        let requests: [HTTPRequest] = [
            .test(fields: [.authorization: token, .authorization: token]),
            .test(.get, "/?ticket=\(text)", fields: [.authorization: token]),
            .test(.get, "/?ticket=\(text)&ticket=\(text)"),
        ]
        for request in requests {
            #expect(authenticator.authenticate(request, at: now).rejection == .conflicting)
        }
    }

    @Test func `a credential is found among all fields, also among those with names that are as long`() throws {
        var authenticator = Authenticator(try configuration())
        let value = try #require(HTTPFieldValue("Bearer " + TestToken.signed()))
        let others: HTTPFields = ["if-none-match": "Bearer x", "origin": "a", "authorizatiox": "Bearer y"]
        for isFirst in [true, false] {
            var fields: HTTPFields = isFirst ? [:] : others
            fields.append(.authorization, value)
            if isFirst { fields.append(others) }
            #expect(authenticator.authenticate(.test(fields: fields), at: now).principal?.id == "ada")
            fields.append(.authorization, value)
            #expect(authenticator.authenticate(.test(fields: fields), at: now).rejection == .conflicting)
        }
        #expect(authenticator.authenticate(.test(fields: others), at: now).isAnonymous)
    }

    @Test func `explicit credentials take precedence over ambient ones`() throws {
        var authenticator = Authenticator(
            try configuration {
                $0.certificates = .subject
                $0.host = HostAuthenticator(name: "app") { _ in .principal(id: "host") }
            })
        let pair = HTTPFieldValue(try cookie().pair) ?? ""
        let request = HTTPRequest.test(
            fields: [.authorization: HTTPFieldValue("Bearer " + TestToken.signed()) ?? "", .cookie: pair],
            subject: "CN=Ada")
        #expect(authenticator.authenticate(request, at: now).identity == "token \(TestToken.issuer) ada")
        // A bad explicit credential is not replaced by an ambient one.
        let bad = HTTPRequest.test(fields: [.authorization: "Bearer a.b.c", .cookie: pair], subject: "CN=Ada")
        #expect(authenticator.authenticate(bad, at: now).rejection != nil)
    }

    @Test func `API keys are accepted with two schemes until they are removed`() throws {
        let file = try APIKeyFile("")
        let (key, text) = try file.adding("reports")
        let keys = APIKeys(try APIKeyFile(text), hasher: TestHash.hasher)
        var authenticator = Authenticator(try configuration { $0.apiKeys = keys })
        for value in ["ApiKey \(key)", "Bearer \(key)", "apikey \(key)"] {
            #expect(authenticator.authenticate(.authorized(value), at: now).identity == "apiKey  reports")
        }
        for value in ["ApiKey \(key)x", "ApiKey \(key.dropLast())", "Bearer granary_", "ApiKey"] {
            #expect(authenticator.authenticate(.authorized(value), at: now).rejection == .unknownAPIKey)
        }
        authenticator = Authenticator(try configuration { $0.apiKeys = APIKeys(file, hasher: TestHash.hasher) })
        #expect(authenticator.authenticate(.authorized("ApiKey \(key)"), at: now).rejection == .unknownAPIKey)
    }

    @Test func `tickets are accepted in a field, and for GET in the query`() throws {
        var authenticator = Authenticator(try configuration())
        let ticket = try ticket()
        let text = TicketAuthority(keys: TestHash.keys).text(of: ticket).secret
        #expect(authenticator.authenticate(.authorized("Ticket \(text)"), at: now).ticket == ticket)
        #expect(authenticator.authenticate(.test(.get, "/x?a=b&ticket=\(text)"), at: now).ticket == ticket)
        #expect(authenticator.authenticate(.test(.post, "/x?ticket=\(text)"), at: now).isAnonymous)
        #expect(authenticator.authenticate(.test(.get, "/x?t%69cket=\(text)"), at: now).isAnonymous)
        #expect(authenticator.authenticate(.test(.get, "/x?ticket="), at: now).rejection == .unknownTicket)
        #expect(authenticator.authenticate(.authorized("Ticket \(text)"), at: ticket.expires).rejection == .expired)
        // A cookie is not a ticket, and a ticket not a token.
        let pair = try cookie().pair
        let value = pair.split(separator: "=")[1]
        #expect(authenticator.authenticate(.authorized("Ticket \(value)"), at: now).rejection == .unknownTicket)
        #expect(authenticator.authenticate(.authorized("Bearer \(text)"), at: now).rejection != nil)
    }

    @Test func `a cookie identifies its browser, and is remembered for cookies only`() throws {
        var authenticator = Authenticator(try configuration())
        let (principal, pair) = try cookie()
        let value = HTTPFieldValue("a=b; \(pair); c=d") ?? ""
        for _ in 0..<2 {
            let authentication = authenticator.authenticate(.test(fields: [.cookie: value]), at: now)
            #expect(authentication.principal == principal)
            #expect(authentication.isAmbient)
        }
        #expect(authenticator.cachedCount == 1)
        let text = pair.split(separator: "=")[1]
        #expect(authenticator.authenticate(.authorized("Bearer \(text)"), at: now).rejection != nil)
    }

    @Test func `a cookie that is forged, old, for another scheme or sent twice is ignored`() throws {
        var authenticator = Authenticator(try configuration())
        let pair = try cookie().pair
        let other = try cookie(isSecure: false).pair
        let later = now + .seconds(181 * 86_400)
        func isAnonymous(_ values: String..., scheme: String = "https", at time: UnixTime? = nil) -> Bool {
            var fields = HTTPFields()
            for value in values { fields.append(.cookie, HTTPFieldValue(value) ?? "") }
            return authenticator.authenticate(.test(scheme: scheme, fields: fields), at: time ?? now).isAnonymous
        }
        #expect(isAnonymous(pair + "A"))
        #expect(isAnonymous(other))
        #expect(isAnonymous(pair, scheme: "http"))
        #expect(isAnonymous("\(pair); \(pair)"))
        #expect(isAnonymous(pair, pair))
        #expect(isAnonymous(pair, at: later))
        #expect(isAnonymous("x\(pair)"))
        #expect(isAnonymous("__Host-granary"))
        #expect(!isAnonymous(pair))
        #expect(!isAnonymous(other, scheme: "http"))
        #expect(!isAnonymous("a=b", pair))
    }

    @Test func `a certificate identifies its client by its subject or a name`() throws {
        let names = ["DNS:ada.example", "URI:spiffe://example/ada", "email:ada@example"]
        for (identity, id) in [
            (CertificateIdentity.subject, "CN=Ada"), (.dns, "ada.example"), (.uri, "spiffe://example/ada"),
            (.email, "ada@example"),
        ] {
            var authenticator = Authenticator(try configuration { $0.certificates = identity })
            let request = HTTPRequest.test(subject: "CN=Ada", names: names)
            #expect(authenticator.authenticate(request, at: now).identity == "certificate \(identity.rawValue) \(id)")
            #expect(authenticator.authenticate(.test(names: names), at: now).isAnonymous)
            let nameless = authenticator.authenticate(.test(subject: "CN=Ada"), at: now)
            #expect(nameless.isAnonymous == (identity != .subject))
        }
    }

    @Test func `a request has the principal that a trusted proxy names`() throws {
        let proxies = TrustedProxies(["10.0.0.0/8", "unix"].compactMap { AddressRange($0) })
        let field = ProxyField(name: "x-forwarded-user", proxies: proxies)
        var authenticator = Authenticator(
            try configuration {
                $0.proxyField = field
                $0.certificates = .subject
            })
        func authenticate(_ values: HTTPFieldValue..., address: String) -> Authentication {
            var fields = HTTPFields()
            for value in values { fields.append("x-forwarded-user", value) }
            return authenticator.authenticate(.test(fields: fields, address: address), at: now)
        }
        #expect(authenticate("ada", address: "10.1.2.3").identity == "proxy x-forwarded-user ada")
        #expect(authenticate("ada", address: "::ffff:10.1.2.3").identity == "proxy x-forwarded-user ada")
        #expect(authenticate("ada", address: "unix").identity == "proxy x-forwarded-user ada")
        #expect(authenticate("ada", address: "11.0.0.1").isAnonymous)
        #expect(authenticate("ada", address: "2001:db8::1").isAnonymous)
        #expect(authenticate("", address: "10.1.2.3").isAnonymous)
        #expect(authenticate("eve", "ada", address: "10.1.2.3").rejection == .conflicting)
        #expect(authenticate("eve", "ada", address: "11.0.0.1").isAnonymous)
        let long = HTTPFieldValue(String(repeating: "a", count: 513)) ?? ""
        #expect(authenticate(long, address: "10.1.2.3").rejection != nil)
    }

    @Test func `a program's closure decides before other ambient credentials`() throws {
        let host = HostAuthenticator(name: "app") { request in
            switch request.fields.value("x-app") {
            case "none": .none
            case "bad": .rejected("The session of the application has ended.")
            case "old": .principal(id: "ada", expires: TestToken.now)
            case let id?: .principal(id: id == "empty" ? "" : id)
            case nil: .none
            }
        }
        var authenticator = Authenticator(
            try configuration {
                $0.host = host
                $0.certificates = .subject
            })
        func authenticate(_ value: HTTPFieldValue) -> Authentication {
            authenticator.authenticate(
                .test(fields: ["x-app": value, .authorization: "Basic x"], subject: "CN=Ada"), at: now)
        }
        #expect(authenticate("ada").identity == "host app ada")
        #expect(authenticate("none").identity == "certificate subject CN=Ada")
        #expect(authenticate("bad").rejection == .byHost("The session of the application has ended."))
        #expect(authenticate("old").rejection == .expired)
        #expect(authenticate("empty").rejection != nil)
    }

    @Test func `a program's closure may decide later`() async throws {
        let host = HostAuthenticator(
            name: "app",
            authenticateLater: { request in
                await Task.yield()
                return request.fields.contains("x-app") ? .principal(id: "ada") : .none
            })
        var authenticator = Authenticator(
            try configuration {
                $0.host = host
                $0.certificates = .subject
            })
        var results: [String] = []
        for fields: HTTPFields in [["x-app": "1"], [:]] {
            guard
                case .undecided(let pending) = authenticator.authenticate(
                    .test(fields: fields, subject: "CN=A"), at: now)
            else { throw TestFailure("expected a pending authentication") }
            results.append(await pending.result().identity)
        }
        #expect(results == ["host app ada", "certificate subject CN=A"])
    }

    @Test func `the first cookie of a browser works, and is renewed after half of its time`() throws {
        var authenticator = Authenticator(try configuration())
        let browser = HTTPRequest.test(.post, "/v1/sessions", fields: ["sec-fetch-site": "same-origin"])
        #expect(authenticator.cookieReturn(of: browser) == .always)
        let issued = try #require(authenticator.firstCookie(browser, at: now))
        #expect(issued.hash == TestHash.hasher.hash(of: issued.principal))
        let id = try #require(Base64URL.bytes(of: issued.principal.id.utf8))
        #expect(authenticator.firstCookie(browser, id: id, at: now)?.principal == issued.principal)
        #expect(authenticator.firstCookie(browser, at: now)?.principal != issued.principal)
        let pair = HTTPFieldValue(String(issued.field.string.prefix { $0 != ";" })) ?? ""
        let next = HTTPRequest.test(
            .post, "/v1/sessions", fields: ["origin": "https://granary.example", .cookie: pair])
        let authentication = authenticator.authenticate(next, at: now)
        #expect(authentication.principal == issued.principal)
        #expect(authenticator.renewedCookie(next, authentication, at: now) == nil)
        let half = now + .seconds(90 * 86_400)
        let renewed = authenticator.renewedCookie(next, authenticator.authenticate(next, at: half), at: half)
        #expect(renewed?.string.hasPrefix("__Host-granary=") == true)
        let other = authenticator.authenticate(.authorized("Bearer " + TestToken.signed()), at: half)
        #expect(authenticator.renewedCookie(next, other, at: half) == nil)
    }

    @Test func `a server without cookies issues none`() throws {
        var configuration = try configuration()
        configuration.cookies = nil
        let authenticator = Authenticator(configuration)
        let browser = HTTPRequest.test(.post, "/v1/sessions", fields: ["sec-fetch-site": "same-origin"])
        #expect(authenticator.cookieReturn(of: browser) == .never)
        #expect(authenticator.firstCookie(browser, at: now) == nil)
    }
}

import HTTPModel
import Testing

@testable import Granary

/// The keys of the sections `access`, `rates` and `quotas`.
@Suite struct AccessKeysTests {
    private func load(_ flags: [(String, String)]) throws(ConfigurationError) -> Configuration {
        try ConfigurationLoader.load(.standard, file: nil, environment: [:], flags: flags)
    }

    private func load(file: String) throws(ConfigurationError) -> Configuration {
        try ConfigurationLoader.load(
            .standard, file: ConfigurationFile(path: "a.json5", content: file), environment: [:], flags: [])
    }

    private func problem(_ name: String, _ value: String) -> String? {
        do throws(ConfigurationError) {
            _ = try load([(name, value)])
            return nil
        } catch {
            return error.problems.first?.message
        }
    }

    @Test func `by default nobody needs a principal, and nothing is limited`() throws {
        let access = try load([]).access
        #expect(access == Configuration.AccessControl())
        #expect(
            !access.requiresPrincipal && !access.usesCookie && access.tokenIssuers.isEmpty && access.origins.isEmpty)
        #expect(access.rates == .init() && access.quotas == .init())
    }

    @Test func `the configured values reach the configuration`() throws {
        let access = try load([
            ("access.requires", "true"), ("access.jwtSkew", "1m"), ("access.apiKeys", "/etc/keys"),
            ("access.certificateID", "URI"), ("access.proxyField", "X-Forwarded-User"), ("access.cookie", "true"),
            ("access.cookieLifetime", "24h"), ("access.signingKeys", "/etc/signing"),
            ("access.identityKey", "/etc/identity"), ("access.origins", "https://a.example,https://*.b.example"),
            ("access.cachedCredentials", "7"), ("access.auditPrincipals", "id"),
            ("http.trustedProxies", "10.0.0.0/8,unix"), ("http.clientField", "Forwarded"), ("rates.inputs", "100/60s"),
            ("rates.sessions", "5/1h"), ("rates.streams", "9/1s"), ("rates.tickets", "6/1m"),
            ("rates.rejectedCredentials", "8/1m"),
            ("quotas.sessions", "3"), ("quotas.streams", "4"), ("quotas.bytes", "2MiB"),
        ]).access
        #expect(access.requiresPrincipal && access.usesCookie)
        #expect(access.tokenSkew == .seconds(60) && access.cookieLifetime == .seconds(86_400))
        #expect(access.apiKeys == "/etc/keys" && access.signingKeys == "/etc/signing")
        #expect(access.identityKey == "/etc/identity" && access.proxyField == "X-Forwarded-User")
        #expect(access.certificateName == .uri && access.auditedPrincipals == .id)
        #expect(access.origins == ["https://a.example", "https://*.b.example"])
        #expect(access.cachedCredentials == 7)
        #expect(access.trustedProxies.map(\.description) == ["10.0.0.0/8", "unix"])
        #expect(access.clientField == .forwarded)
        #expect(access.rates.inputs == .init(count: 100, window: .seconds(60)))
        #expect(access.rates.sessions == .init(count: 5, window: .seconds(3600)))
        #expect(access.rates.streams == .init(count: 9, window: .seconds(1)))
        #expect(access.rates.tickets == .init(count: 6, window: .seconds(60)))
        #expect(access.rates.rejectedCredentials == .init(count: 8, window: .seconds(60)))
        #expect(access.quotas.sessions == 3 && access.quotas.streams == 4 && access.quotas.bytes == 2 << 20)
    }

    @Test func `zero disables rates and quotas`() throws {
        let names = [
            "rates.inputs", "rates.sessions", "rates.streams", "rates.tickets", "rates.rejectedCredentials",
            "quotas.sessions", "quotas.streams",
        ]
        let access = try load(names.map { ($0, "0") } + [("quotas.bytes", "0B")]).access
        var rates = Configuration.AccessControl.Rates()
        (rates.tickets, rates.rejectedCredentials) = (nil, nil)
        #expect(access.rates == rates && access.quotas == .init())
        #expect(try load(file: "{rates: {inputs: 0}}").access.rates.inputs == nil)
    }

    @Test(arguments: ["100", "100/", "/60s", "0/60s", "100/500ms", "100/1500ms", "100/25h", "-1/60s", "1/60s/2", "a/b"])
    func `an invalid rate is rejected`(text: String) {
        #expect(problem("rates.inputs", text)?.contains("expected a rate, such as \"100/60s\"") == true)
    }

    @Test(arguments: [
        "*", "null", "https://", "https://*.com", "https://a.example/path", "a.example", "1a://a.example",
    ])
    func `an invalid origin is named`(origin: String) {
        let problem = problem("access.origins", "https://a.example,\(origin)")
        #expect(problem?.contains("expected a list of origins") == true)
        #expect(problem?.hasSuffix("got \"\(origin)\"") == true)
    }

    @Test func `the name of a field and the kind of a name are validated`() {
        #expect(problem("access.proxyField", "X User")?.contains("the name of a field") == true)
        #expect(problem("access.certificateID", "CN")?.contains("one of subject, DNS, URI, email") == true)
        #expect(problem("http.trustedProxies", "proxy.example") != nil)
        for field in ["X-Real-IP", "forwarded", "", "X-Forwarded-For,Forwarded"] {
            #expect(problem("http.clientField", field)?.contains("one of X-Forwarded-For, Forwarded") == true)
        }
        #expect(problem("access.cookieLifetime", "9601h") != nil)
        #expect(problem("access.cachedCredentials", "0") != nil)
    }
}

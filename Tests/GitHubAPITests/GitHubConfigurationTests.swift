import GitHubAPI
import Testing

struct GitHubConfigurationTests {
    @Test func `the defaults use the public GitHub API without a token`() throws {
        let configuration = try GitHubConfiguration()
        #expect(configuration.baseAddress == "https://api.github.com")
        #expect(!configuration.userAgent.isEmpty)
        #expect(configuration.totalTimeout > configuration.idleTimeout)
    }

    @Test func `trailing slashes of the base address are removed`() throws {
        let configuration = try GitHubConfiguration(baseAddress: "https://github.example:8443/api/v3//")
        #expect(configuration.baseAddress == "https://github.example:8443/api/v3")
    }

    @Test(arguments: [
        "", "api.github.com", "/search", "ftp://api.github.com", "https://", "https:///path", "file:///etc",
        "https://me:secret@github.example", "https://me@github.example", "https://github.example?x=1",
        "https://github.example#x", "http://[::1", "https://github.example?",
    ])
    func `an invalid base address is rejected`(address: String) {
        let error = #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(baseAddress: address) }
        #expect(error?.description.hasPrefix("The base address") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: ["", " ", "a b", "a\r\nX: y", "tökén", "\u{7F}"])
    func `a token that is invalid in a field is rejected without being revealed`(token: String) {
        let error = #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(token: token) }
        #expect(error?.description.hasPrefix("The token must consist of visible ASCII") == true)
    }

    @Test(arguments: ["http://github.example", "http://127.evil.example", "http://10.0.0.1:80"])
    func `a token is not sent to another host without encryption`(address: String) throws {
        #expect(throws: GitHubConfigurationError.self) {
            try GitHubConfiguration(baseAddress: address, token: "ghp_secret")
        }
        #expect(try GitHubConfiguration(baseAddress: address).baseAddress == address)
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:99", "https://github.example"])
    func `a token is sent to the local host or over TLS`(address: String) throws {
        #expect(try GitHubConfiguration(baseAddress: address, token: "ghp_secret").baseAddress == address)
    }

    @Test func `no description or dump reveals the token`() throws {
        let configuration = try GitHubConfiguration(token: "ghp_secret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("ghp_"))
            #expect(!text.contains("Bearer"))
        }
        #expect(dumped.contains("api.github.com"))
    }

    @Test func `invalid limits are rejected`() {
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(idleTimeout: .zero) }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(totalTimeout: .seconds(-1)) }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(bodyLimit: 0) }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(cacheEntries: -1) }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(cacheBytes: -1) }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(userAgent: "") }
        #expect(throws: GitHubConfigurationError.self) { try GitHubConfiguration(userAgent: "a\nb") }
    }
}

import Testing

@testable import Granary

struct ConfigurationKeyTests {
    @Test func `no name and no environment variable is used twice`() {
        let names = ConfigurationKey.all.map(\.name)
        let variables = ConfigurationKey.all.map(\.environmentName)
        #expect(Set(names).count == names.count)
        #expect(Set(variables).count == variables.count)
    }

    @Test(arguments: [
        ("http.port", "GRANARY_HTTP_PORT"), ("http.maxHeadBytes", "GRANARY_HTTP_MAX_HEAD_BYTES"),
        ("github.baseURL", "GRANARY_GITHUB_BASE_URL"), ("sessions.idleExpiry", "GRANARY_SESSIONS_IDLE_EXPIRY"),
        ("sessions.turnsInARow", "GRANARY_SESSIONS_TURNS_IN_A_ROW"),
    ])
    func `an environment variable is the name in capitals, words apart`(name: String, variable: String) {
        #expect(ConfigurationKey.named(name)?.environmentName == variable)
    }

    @Test(arguments: ConfigurationKey.all)
    func `the default of a key is a value of the key`(key: ConfigurationKey) {
        guard key.name != "github.token" else { return }
        var configuration = Configuration()
        #expect(key.assign(.text(key.text(in: configuration)), to: &configuration))
        #expect(configuration == Configuration())
    }

    @Test func `every property of the configuration has a key`() {
        let sections = Mirror(reflecting: Configuration()).children
        let properties = sections.flatMap { section in
            Mirror(reflecting: section.value).children.map { "\(section.label ?? "").\($0.label ?? "")" }
        }
        #expect(Set(properties) == Set(ConfigurationKey.all.map(\.name)))
    }

    @Test(arguments: [
        ("http.port", "65536"), ("http.port", "-1"), ("http.port", "eighty"), ("http.maxTargetBytes", "1B"),
        ("stream.keepAlive", "0s"), ("log.level", "loud"), ("github.baseURL", "api.github.com"), ("http.host", ""),
        ("http.host", "localhost"), ("http.host", "127.0.0.1:80"), ("http.host", "[::1]"),
    ])
    func `a value out of its bounds changes nothing`(name: String, text: String) throws {
        let key = try #require(ConfigurationKey.named(name))
        var configuration = Configuration()
        #expect(!key.assign(.text(text), to: &configuration))
        #expect(configuration == Configuration())
    }

    @Test func `a secret shows only whether it is set`() throws {
        let key = try #require(ConfigurationKey.named("github.token"))
        var configuration = Configuration()
        #expect(key.text(in: configuration) == "unset")
        #expect(key.assign(.text("ghp_hidden"), to: &configuration))
        #expect(configuration.github.token.reveal() == "ghp_hidden")
        var dumped = ""
        dump(configuration, to: &dumped)
        let shown = [key.text(in: configuration), key.literal(in: configuration), "\(configuration)", dumped]
        #expect(shown.allSatisfy { !$0.contains("hidden") })
        #expect(shown[0] == "set")
    }
}

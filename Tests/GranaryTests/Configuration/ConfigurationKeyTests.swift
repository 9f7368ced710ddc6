import Testing

@testable import Granary

struct ConfigurationKeyTests {
    private static let table = ConfigurationTable.standard
    private var table: ConfigurationTable<Configuration> { Self.table }

    @Test func `names and environment variables are unique`() {
        #expect(table.problem == nil)
        #expect(Set(table.keys.map(\.name)).count == table.keys.count)
        #expect(Set(table.keys.map(\.environmentName)).count == table.keys.count)
    }

    @Test(arguments: [
        ("http.port", "GRANARY_HTTP_PORT"), ("http.maxHeadBytes", "GRANARY_HTTP_MAX_HEAD_BYTES"),
        ("service.baseURL", "GRANARY_SERVICE_BASE_URL"), ("sessions.idleExpiry", "GRANARY_SESSIONS_IDLE_EXPIRY"),
        ("sessions.turnsInARow", "GRANARY_SESSIONS_TURNS_IN_A_ROW"),
    ])
    func `an environment variable is the name in capitals, with words separated`(name: String, variable: String) {
        #expect(ConfigurationTable.service.key(named: name)?.environmentName == variable)
    }

    // The text of a secret is not its value.
    @Test(arguments: table.keys.filter { $0.literal(in: Configuration()) != "null" }.map(\.name))
    func `the default of a key is valid for the key`(name: String) throws {
        let key = try #require(table.key(named: name))
        var configuration = Configuration()
        #expect(key.assign(.text(key.text(in: configuration)), to: &configuration))
        #expect(table.values(of: configuration) == table.values(of: Configuration()))
    }

    @Test(arguments: [
        ("http.port", "65536"), ("http.port", "-1"), ("http.port", "eighty"), ("http.maxTargetBytes", "1B"),
        ("stream.keepAlive", "0s"), ("stream.lifetime", "0s"), ("log.level", "loud"), ("http.host", ""),
        ("http.host", "localhost"), ("http.host", "127.0.0.1:80"), ("http.host", "[::1]"),
        ("service.baseURL", "service.example"), ("service.timeout", "61s"), ("service.retries", "10"),
        ("service.isEnabled", "yes"), ("service.mode", "slow"), ("service.cacheBytes", "1B"),
    ])
    func `a value out of bounds changes nothing`(name: String, text: String) throws {
        let table = ConfigurationTable.service
        let key = try #require(table.key(named: name))
        var configuration = table.defaults
        #expect(!key.assign(.text(text), to: &configuration))
        #expect(table.values(of: configuration) == table.values(of: table.defaults))
    }

    @Test func `a limit of 0 means no limit`() throws {
        let key = try #require(table.key(named: "sessions.maxSessionsPerClient"))
        var configuration = Configuration()
        #expect(key.text(in: configuration) == "1000")
        #expect(key.assign(.text("0"), to: &configuration))
        #expect(configuration.sessions.maxSessionsPerClient == nil)
        #expect(key.text(in: configuration) == "0" && key.literal(in: configuration) == "0")
        #expect(key.assign(.text("7"), to: &configuration))
        #expect(configuration.sessions.maxSessionsPerClient == 7)
    }

    @Test func `a secret shows only whether it is set`() throws {
        let key = try #require(ConfigurationTable.service.key(named: "service.token"))
        var configuration = ConfigurationTable.service.defaults
        #expect(key.text(in: configuration) == "unset")
        #expect(key.assign(.text("ghp_hidden"), to: &configuration))
        #expect(configuration.settings.token.reveal() == "ghp_hidden")
        var dumped = ""
        dump(configuration, to: &dumped)
        let shown = [key.text(in: configuration), key.literal(in: configuration), "\(configuration)", dumped]
        #expect(shown.allSatisfy { !$0.contains("hidden") })
        #expect(shown[0] == "set")
    }

    @Test(arguments: [
        (["port"], "a section and a name"), (["app.port.number"], "a section and a name"), (["app."], "a section"),
        ([".port"], "a section"),
        (["app.name", "app.name"], "app.name and app.name have the same environment variable"),
        (["http.port"], "http.port and http.port have the same environment variable"),
        (["http2.max", "http2_max.x"], nil),
    ])
    func `ambiguous keys of a program are named`(names: [String], message: String?) {
        let keys = names.map { ConfigurationKey<ServiceSettings>($0, \.retries, .number(in: 0...1), "A number.") }
        let problem = ConfigurationTable(settings: ServiceSettings(), keys: keys).problem
        if let message {
            #expect(problem?.contains(message) == true, "\(problem ?? "")")
        } else {
            #expect(problem == nil)
        }
    }
}

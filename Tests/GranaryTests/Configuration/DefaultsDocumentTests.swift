import Testing

@testable import Granary

struct DefaultsDocumentTests {
    private let text = DefaultsDocument.text(of: .service, program: "service")

    @Test func `loading the file of defaults changes nothing`() throws {
        let table = ConfigurationTable.service
        let file = ConfigurationFile(path: "defaults.json5", content: text)
        let configuration = try ConfigurationLoader.load(table, file: file, environment: [:], flags: [])
        #expect(table.values(of: configuration) == table.values(of: table.defaults))
        #expect(try file.entries(sections: table.sections).map(\.name) == table.keys.map(\.name))
    }

    @Test func `a program's own defaults of the server are described and used`() throws {
        var defaults = Configuration()
        defaults.access.usesCookie = true
        let table = ConfigurationTable(defaults: defaults, settings: ServiceSettings(), keys: ServiceSettings.keys)
        #expect(DefaultsDocument.text(of: table, program: "service").contains("\n        cookie: true,\n"))
        #expect(!text.contains("\n        cookie: true,\n"))
        let configuration = try ConfigurationLoader.load(table, file: nil, environment: [:], flags: [])
        #expect(configuration.server.access.usesCookie)
        let other = try ConfigurationLoader.load(
            table, file: nil, environment: ["GRANARY_ACCESS_COOKIE": "false"], flags: [])
        #expect(!other.server.access.usesCookie)
    }

    @Test func `a program's own keys are described like the server's, before the keys of the log`() throws {
        #expect(ConfigurationTable.service.sections.suffix(3) == ["traces", "service", "log"])
        #expect(text.contains("// `service print-defaults` prints this file."))
        #expect(
            text.contains(
                """
                    service: {
                        // The address of the service.
                        // Expects a URL that begins with https://.
                        // GRANARY_SERVICE_BASE_URL
                        baseURL: "https://service.example",

                        // The token that is sent to the service.
                        // Expects a string.
                        // GRANARY_SERVICE_TOKEN
                        token: null,

                        // The timeout of a request.
                        // Expects a duration with its unit (ms, s, m, h), such as "15s" from 1s to 1m.
                        // GRANARY_SERVICE_TIMEOUT
                        timeout: "10s",

                """))
    }
}

import HTTPServer
import Log
import MachineHost
import Testing

@testable import Granary

/// What keeps a server with operators from starting. `check-config` and `serve` perform the same checks.
@Suite struct OperatorConfigurationTests {
    private func configuration(
        _ listener: String, _ operators: [String] = [], change: (inout Configuration) -> Void = { _ in }
    ) throws -> Configuration {
        var configuration = Configuration()
        configuration.server.listeners = [try HTTPListener(listener)]
        configuration.access.operators = operators
        change(&configuration)
        return configuration
    }

    /// Returns the problem that both the check and the start report.
    private func problem(_ configuration: Configuration) -> String? {
        let problems = ServedAccess.problems(configuration)
        var thrown: String?
        do throws(OperatorError) {
            _ = try ServedAccess(configuration, log: .silent)
        } catch {
            thrown = error.description
        }
        #expect(problems.first == thrown)
        return thrown
    }

    @Test(arguments: ["admin+http://0.0.0.0:9090", "admin+https://[::]:9090", "admin+http://10.0.0.1:9090"])
    func `an admin listener for other machines needs an operator`(_ listener: String) throws {
        let message = try #require(problem(try configuration(listener)))
        #expect(message.hasPrefix("access.operators: expected an operator") && message.contains(listener))
        #expect(message.hasSuffix("set both http.metrics and http.admin to false"))
        #expect(try problem(configuration(listener) { $0.servesMetrics = false }) == message)
        #expect(try problem(configuration(listener) { $0.servesAdmin = false }) == message)
        let withoutBoth = try configuration(listener) { ($0.servesMetrics, $0.servesAdmin) = (false, false) }
        #expect(problem(withoutBoth) == nil)
    }

    @Test(arguments: [
        "admin+http://127.0.0.1:9090", "admin+http://[::1]:9090", "admin+unix:/run/a.sock", "http://0.0.0.0:8080",
    ])
    func `other listeners need none`(_ listener: String) throws {
        #expect(try problem(configuration(listener)) == nil)
    }

    @Test(arguments: [
        ("apiKey:a", "access.apiKeys"), ("claim:role=operator", "access.jwt"), ("certificate:a", "tls.clientIssuers"),
        ("proxy:ada", "access.proxyField"), ("prometheus", "apiKey:NAME"),
    ])
    func `an operator whom nothing can authenticate is a problem`(_ text: String, _ expected: String) throws {
        let message = try #require(problem(try configuration("http://127.0.0.1:8080", [text])))
        #expect(message.contains("\"\(text)\"") && message.contains(expected), "\(message)")
    }

    @Test func `operators are a list in flags and in files`() throws {
        let table = ConfigurationTable(defaults: Configuration())
        func operators(_ value: String) throws -> [String] {
            try ConfigurationLoader.load(
                table, file: nil, environment: [:], flags: [("access.operators", value)]
            ).access.operators
        }
        #expect(try operators("apiKey:a, claim:role=operator") == ["apiKey:a", "claim:role=operator"])
        #expect(throws: ConfigurationError.self) { try operators("apiKey:a,bob") }
    }

    @Test func `cleartext for other machines, and a supervisor's socket without operators, cause warnings`() throws {
        let listener = "admin+http://0.0.0.0:9090"
        let warnings = ExposureCheck(try configuration(listener, ["apiKey:a"])).warnings
        #expect(warnings.count == 1 && warnings[0].contains(listener) && warnings[0].contains("without TLS"))
        let onlyAdmin = try configuration(listener, ["apiKey:a"]) { $0.servesMetrics = false }
        #expect(ExposureCheck(onlyAdmin).warnings == warnings)
        var neither = onlyAdmin
        neither.servesAdmin = false
        #expect(ExposureCheck(neither).warnings == [])
        #expect(ExposureCheck(try configuration("admin+https://0.0.0.0:9090")).warnings == [])
        let listeners = [try HTTPListener(listener)]
        let started = HostExposure.warnings(Configuration(), tls: nil, listeners: listeners)
        #expect(started == ["nobody can use \(listener) as an operator, because access.operators is empty"])
        neither.access.operators = []
        #expect(HostExposure.warnings(neither, tls: nil, listeners: listeners) == [])
        let configured = try configuration(listener, ["apiKey:a"])
        #expect(HostExposure.warnings(configured, tls: nil, listeners: listeners) == [])
    }
}

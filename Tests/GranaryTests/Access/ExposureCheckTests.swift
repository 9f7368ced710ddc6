import Access
import HTTPModel
import HTTPServer
import Log
import TLS
import Testing

@testable import Granary

/// What `check-config` warns about.
@Suite struct ExposureCheckTests {
    private func warnings(
        authenticator: HostAuthenticator? = nil, _ change: (inout Configuration) throws -> Void
    ) rethrows -> [String] {
        var configuration = Configuration()
        try change(&configuration)
        return ExposureCheck(configuration, authenticator: authenticator).warnings
    }

    private static let proxy = AddressRange("10.0.0.1").map { [$0] } ?? []

    @Test func `a server for this machine only has no warnings`() throws {
        #expect(warnings { _ in } == [])
        #expect(warnings { $0.server.host = "::1" } == [])
        let listeners = try ["unix:/run/a.sock", "admin+http://127.0.0.1:9090"].map { try HTTPListener($0) }
        #expect(warnings { $0.server.listeners = listeners } == [])
    }

    @Test func `a server for the network without anything has all warnings`() {
        let warnings = warnings { $0.server.host = "0.0.0.0" }
        #expect(warnings.count == 3)
        #expect(warnings[0].contains("http://0.0.0.0:8080") && warnings[0].contains("no method of authentication"))
        #expect(warnings[1].contains("without TLS"))
        #expect(warnings[2].contains("http.allowedHosts"))
    }

    @Test func `each remedy removes its warning`() throws {
        func remaining(_ change: (inout Configuration) throws -> Void) rethrows -> [String] {
            try warnings {
                $0.server.host = "0.0.0.0"
                try change(&$0)
            }
        }
        #expect(remaining { $0.server.allowedHosts = ["app.example"] }.count == 2)
        #expect(remaining { $0.access.apiKeys = "/etc/keys" }.contains { $0.contains("authentication") } == false)
        // Every browser gets the cookie.
        #expect(remaining { $0.access.usesCookie = true }.count == 3)
        #expect(remaining { $0.access.trustedProxies = ExposureCheckTests.proxy } == [HostExposure.anyHost])
        #expect(remaining { $0.server.proxies = ExposureCheckTests.proxy } == [HostExposure.anyHost])
        let secure = try HTTPListener("https://0.0.0.0:8443")
        let left = remaining {
            $0.tls.selfSigned = true
            $0.server.listeners = [secure]
        }
        #expect(left.count == 1 && left[0].contains("no method of authentication"))
        let authenticator = HostAuthenticator(name: "app") { _ in .none }
        let own = warnings(authenticator: authenticator) { $0.server.host = "0.0.0.0" }
        #expect(own.count == 2 && !own.contains { $0.contains("no method of authentication") })
    }

    @Test(arguments: ["0.0.0.0/0", "::/0", "10.0.0.1/0"])
    func `proxies that are everyone have a warning`(range: String) {
        let warnings = warnings { $0.access.trustedProxies = AddressRange(range).map { [$0] } ?? [] }
        #expect(warnings.count == 1 && warnings[0].contains("(\(range) in http.trustedProxies)"), "\(warnings)")
    }

    @Test func `a field of proxies has a warning if there are none`() {
        let warnings = warnings { $0.access.clientField = .forwarded }
        #expect(
            warnings == ["the field Forwarded (http.clientField) is not read, because http.trustedProxies is empty"])
        let proxied = self.warnings {
            $0.access.clientField = .forwarded
            $0.access.trustedProxies =
                ExposureCheckTests.proxy + [AddressRange("128.0.0.0/1"), AddressRange("unix")].compactMap { $0 }
        }
        #expect(proxied == [])
    }

    @Test func `the text at the start warns about any host only if it is so`() throws {
        var configuration = Configuration()
        let network = [HTTPListener(.address(host: "0.0.0.0", port: 8080))]
        func warnings(_ listeners: [HTTPListener], _ tls: ServedTLS? = nil) -> [String] {
            HostExposure.warnings(configuration, tls: tls, listeners: listeners)
        }
        #expect(warnings(network) == [HostExposure.anyHost])
        #expect(warnings([HTTPListener(.address(host: "127.0.0.1", port: 8080))]) == [])
        configuration.tls.selfSigned = true
        #expect(warnings(network, try ServedTLS(configuration.tls, log: .silent)) == [])
        configuration.server.allowedHosts = ["app.example"]
        #expect(warnings(network) == [])
        let text = StartupText.text(listeners: network, machines: [], warnings: ["a", "b"])
        #expect(text.contains("serves on http://0.0.0.0:8080\nwarning: a\nwarning: b\n"))
    }
}

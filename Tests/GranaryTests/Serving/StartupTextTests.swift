import HTTPServer
import Testing

@testable import Granary

struct StartupTextTests {
    private func text(_ listeners: [String], fingerprint: String? = nil) throws -> String {
        let listeners = try listeners.map { try HTTPListener($0) }
        return StartupText.text(
            listeners: listeners, fingerprint: fingerprint, machines: [("counter", "Counts.", ["count"])])
    }

    @Test func `every listener is listed, and those for operators are marked`() throws {
        let text = try text([
            "http://127.0.0.1:8080", "https://[::1]:8443", "admin+http://127.0.0.1:9090", "unix:/run/a.sock?mode=0666",
            "admin+https+unix:/run/b.sock",
        ])
        #expect(
            text.contains(
                """
                 serves on http://127.0.0.1:8080
                and on https://[::1]:8443
                and for operators on http://127.0.0.1:9090
                and on unix:/run/a.sock
                and for operators on https+unix:/run/b.sock


                """))
    }

    @Test func `a machine whose sessions are not stored is listed with the reason`() {
        let text = StartupText.text(
            listeners: [], machines: [("counter", "Counts.", ["count"])],
            obstacles: ["counter": "Store.socket holds a value of type Socket, which is not Codable"])
        #expect(
            text.contains(
                """
                  counter  Counts.
                           outputs: count
                           sessions end with the process: Store.socket holds a value of type Socket, which is not Codable
                """))
    }

    @Test(arguments: [
        (["admin+http://127.0.0.1:9090", "unix:/a", "http://127.0.0.1:8080"], "-i http://127.0.0.1:8080/v1"),
        (["unix:/a", "https://127.0.0.1:8443"], "-i https://127.0.0.1:8443/v1"),
        (["unix:/a"], "-i --unix-socket /a http://localhost/v1"),
        (["https+unix:/a"], "-i --unix-socket /a https://localhost/v1"),
    ])
    func `the example command uses a listener that the reader can reach`(_ listeners: [String], _ call: String) throws {
        #expect(try text(listeners).contains("curl \(call)/sessions "))
    }

    @Test func `the example command skips verification of a self-signed certificate`() throws {
        #expect(
            try text(["https://127.0.0.1:8443"], fingerprint: "AA").contains("curl -i -k https://127.0.0.1:8443/v1"))
    }

    @Test func `without a public listener there is no example command`() throws {
        #expect(try !text(["admin+http://127.0.0.1:9090"]).contains("curl"))
    }
}

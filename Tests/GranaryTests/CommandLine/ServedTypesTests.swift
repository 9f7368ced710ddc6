import Access
import Contract
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Log
import MachineHost
import MachineTesting
import TLS
import Testing

@testable import Granary

/// The command `types` with the address of a server.
@Suite struct ServedTypesTests {
    private let machines = ["counter", "clock"].map { ScriptedMachine.definition($0, outputs: ["count"]) }
    /// Begins as the types do.
    private static let mark = "// Types of machines, written by `granary types`."

    private func server(
        _ authenticator: HostAuthenticator? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Server {
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount) = (0, 2)
        configuration.extendTimeouts()
        change(&configuration)
        let server = Server(
            configuration: configuration, authenticator: authenticator, log: .silent, machines: machines)
        try server.start()
        return server
    }

    private func types(
        of machine: String? = nil, in language: TypesLanguage = .typescript, at address: String
    ) async throws(OperatorError) -> String {
        // Far more than a busy machine needs.
        try await ServedTypes(of: machine, in: language, at: address, timeout: .seconds(600)).text()
    }

    /// Returns the reason why a server's response is refused.
    private func refusal(of machine: String? = nil, at address: String) async -> String {
        do throws(OperatorError) {
            return "no refusal, but: \(try await types(of: machine, at: address))"
        } catch {
            return error.description
        }
    }

    private func address(of server: Server) throws -> String { "http://127.0.0.1:\(try #require(server.port))" }

    @Test(arguments: TypesLanguage.allCases)
    func `a server's types are those that its own command prints`(language: TypesLanguage) async throws {
        let server = try server()
        let address = try address(of: server)
        let all = language.text(of: MachineContract(machines))
        #expect(try await types(in: language, at: address) == all)
        #expect(try await types(in: language, at: "\(address)/") == all)
        let one = language.text(of: MachineContract([machines[1]]))
        #expect(try await types(of: "clock", in: language, at: address) == one)
        await server.stop()
    }

    @Test func `a machine that the server does not have is reported with those that it has`() async throws {
        let server = try server()
        for name in ["clok", "a/b c", "../docs"] {
            let refusal = await refusal(of: name, at: try address(of: server))
            #expect(refusal.contains("got: status 404 (it has no such machine, "), "\(refusal)")
        }
        let refusal = await refusal(of: "clok", at: try address(of: server))
        #expect(
            refusal.contains("/v1/machines/clok/types.d.ts, got: ") && refusal.contains("No machine has this name."))
        #expect(refusal.contains("\"counter\", \"clock\""))
        await server.stop()
    }

    @Test func `a server that requires credentials is reported with the request that has them`() async throws {
        let server = try server(HostAuthenticator(name: "app") { _ in .none }) { $0.access.requiresPrincipal = true }
        let refusal = await refusal(at: try address(of: server))
        #expect(refusal.contains("got: status 401 (it requires credentials: "))
        #expect(refusal.contains("curl -H 'Authorization: Bearer TOKEN' http://127.0.0.1"), "\(refusal)")
        await server.stop()
    }

    @Test func `a server without a description is reported with the possible reasons`() async throws {
        let server = try server { $0.servesDocs = false }
        let refusal = await refusal(at: try address(of: server))
        #expect(refusal.contains("is of an earlier version or has http.docs=false): "), "\(refusal)")
        await server.stop()
    }

    @Test func `a server that cannot be reached is a failure`() async throws {
        let port = try HTTPTestHeldPort()
        let refusal = await refusal(at: "http://127.0.0.1:\(port.number)")
        #expect(
            refusal.hasPrefix("types: expected the types of machines from http://127.0.0.1:\(port.number)/types.d.ts"))
        withExtendedLifetime(port) {}
    }

    @Test func `a certificate that the system does not trust is a failure`() async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let server = try HTTPTestServer(configure: { $0.tls = HTTPServerTLS(source: source, port: 0) }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(Array(Self.mark.utf8))))
        }
        let refusal = await refusal(at: "https://127.0.0.1:\(server.securePort)")
        #expect(refusal.contains("certificate"), "\(refusal)")
        await server.shutdown()
    }

    @Test(arguments: [
        "", "<!doctype html>", mark + "\u{1B}[2J", mark + "\u{9B}2J",
        " " + mark,
    ])
    func `a response that is something else is not printed`(body: String) async throws {
        let refusal = try await refusal(of: Array(body.utf8))
        #expect(refusal.hasSuffix("/types.d.ts, got: something else with status 200"), "\(refusal)")
    }

    @Test func `bytes that are no text, and too many, are not printed`() async throws {
        let mark = Array(Self.mark.utf8)
        let binary = try await refusal(of: mark + [0xFF])
        #expect(binary.hasSuffix("got: something else with status 200"), "\(binary)")
        let spaces = [UInt8](repeating: 32, count: 16 << 20)
        let large = try await refusal(of: mark + spaces)
        #expect(large.hasSuffix("got: more than 16777216 bytes"), "\(large)")
    }

    @Test func `a status is reported, with the visible part of its explanation`() async throws {
        let body = #"{"detail":"Out\u001B[2J of\n order.\#(String(repeating: "x", count: 1000))"}"#
        let refusal = try await refusal(of: Array(body.utf8), status: .internalServerError)
        #expect(refusal.contains("got: status 500: Out[2J of order.xx") && refusal.count < 700, "\(refusal)")
        for body in ["{", "[]", #"{"detail":7}"#, "<html>"] {
            let refusal = try await self.refusal(of: Array(body.utf8), status: .notFound)
            #expect(refusal.hasSuffix("http.docs=false)"), "\(refusal)")
        }
    }

    @Test func `a redirect is followed, but not without end`() async throws {
        let server = try HTTPTestServer { request, _ in
            guard request.target != "/other" else {
                return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(Self.mark)\n".utf8))))
            }
            let place: HTTPFieldValue = request.target == "/types.d.ts" ? "/other" : "/types.swift"
            return .response(HTTPResponse(status: .found, fields: [.location: place]))
        }
        let address = "http://127.0.0.1:\(server.port)"
        #expect(try await types(at: address) == Self.mark)
        await #expect(throws: OperatorError.self) { try await types(in: .swift, at: address) }
        await server.shutdown()
    }

    @Test(arguments: [
        "", "localhost:8080", "ftp://localhost", "http://", "http:///", "http://a?b", "http://a#b",
        "http://user:word@a", "/", "unix:/run/granary",
    ])
    func `an address that is not the URL of a server is refused`(address: String) async {
        let expected = "types: expected the URL of a server, such as http://localhost:8080, got \"\(address)\""
        #expect(await refusal(at: address) == expected)
    }

    /// Returns the reason why a server with one response is refused.
    private func refusal(of body: [UInt8], status: HTTPStatus = .ok) async throws -> String {
        let server = try HTTPTestServer { _, _ in .response(HTTPResponse(status: status, body: .bytes(body))) }
        let refusal = await refusal(at: "http://127.0.0.1:\(server.port)")
        await server.shutdown()
        return refusal
    }
}

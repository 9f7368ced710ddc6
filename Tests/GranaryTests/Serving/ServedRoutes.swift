import HTTPModel
import HTTPServer
import HTTPServerTesting
import Log
import MachineHost
import MachineTesting

@testable import Granary

/// A server with the site and one machine, and a client that uses one version of HTTP.
final class ServedRoutes {
    /// The response to a request.
    struct Answer {
        var status: Int
        var fields: HTTPFields
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The fields without those that vary: the date and the transfer coding of HTTP/1.1.
        var lastingFields: HTTPFields {
            var fields = fields
            fields[.date] = nil
            fields[.transferEncoding] = nil
            return fields
        }
    }

    /// The versions of HTTP.
    enum Version: CaseIterable { case http1, http2 }

    private let server: HTTPServer<SiteResponder>
    private let socket: HTTPTestClient
    private let multiplexed: HTTP2TestConnection?
    private let version: Version
    private let port: UInt16

    init(_ version: Version, configure: (inout Configuration) -> Void = { _ in }) throws {
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount) = (0, 2)
        configuration.extendTimeouts()
        configure(&configuration)
        let machine = ScriptedMachine.definition(
            outputs: ["text"], inputs: ["say": { machine, value in machine.set("text", to: value) }],
            made: { $0.set("text", to: "\"\(String(repeating: "quite a lot ", count: 200))\"") })
        let host = try SessionHost([machine], configuration: configuration.host(), log: .silent)
        let site = Site()
        server = HTTPServer(configuration: configuration.httpServer(), log: .silent) { loop in
            SiteResponder(site: site, next: host.makeShard(on: loop))
        }
        self.version = version
        port = try server.start().port
        socket = try HTTPTestClient(port: port)
        multiplexed = version == .http2 ? try HTTP2TestConnection(over: socket) : nil
    }

    func request(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], body: String? = nil
    ) throws -> Answer {
        let fields = fields + (body == nil ? [] : [("content-type", "application/json")])
        if let multiplexed {
            let answer = try multiplexed.exchange(method, path, fields: fields, body: body.map { Array($0.utf8) })
            return Answer(status: answer.status ?? 0, fields: answer.fields, body: answer.body)
        }
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let response = try socket.receiveResponse(toHead: method == "HEAD")
        return Answer(status: response.status, fields: response.fields, body: response.body)
    }

    /// Creates a session and returns its path.
    func makeSession() throws -> String {
        let answer = try request("POST", "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        guard let path = answer.fields.value(.location) else { throw HTTPTestError(answer.text) }
        return path
    }

    /// Opens an event stream over its own connection.
    func openStream(_ path: String, after id: String = "") throws -> ServedStream {
        try ServedStream(version, port: port, path, after: id)
    }

    func shutdown() async {
        socket.close()
        await server.shutdown()
    }
}

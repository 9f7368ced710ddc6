import Foundation
import GranaryClient
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineHost

/// A real server with the tally, on a free port, behind a proxy.
final class LoopbackHost: Sendable {
    let host: SessionHost
    let proxy: LoopbackProxy
    /// The value of `Authorization` that is accepted; nil for any.
    let accepted = Lock<String?>(nil)
    /// The requests, as their method and target.
    let requests: Lock<[String]>
    private let server: HTTPServer<Gate>

    init() throws {
        let (accepted, requests) = (accepted, Lock<[String]>([]))
        let host = try SessionHost([Tally.definition()])
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 2
        configuration.drainTimeout = .seconds(1)
        configuration.extendTimeouts()
        server = HTTPServer(configuration: configuration, log: .silent) { loop in
            Gate(host.makeShard(on: loop), accepted, requests)
        }
        self.host = host
        self.requests = requests
        proxy = try LoopbackProxy(to: try server.start().port)
    }

    /// The requests for streams.
    var openings: [String] { requests.withLock { $0.filter { $0.contains("/v1/outputs") } } }

    var url: URL { URL(string: "http://127.0.0.1:\(proxy.port)") ?? URL(filePath: "/") }

    /// Returns a client that tries again without long pauses, and gives up waiting only after minutes, which a busy machine may need.
    @MainActor
    func connection(credential: CredentialSource = .none) -> GranaryConnection {
        var configuration = ClientConfiguration()
        configuration.retry.firstDelay = .milliseconds(5)
        configuration.retry.longestDelay = .milliseconds(100)
        configuration.retry.maxAttempts = 1000
        configuration.requestTimeout = .seconds(300)
        configuration.credentialTimeout = .seconds(300)
        configuration.silence = .seconds(300)
        return GranaryConnection(to: url, credential: credential, configuration: configuration)
    }

    func shutdown() async {
        proxy.close()
        await server.shutdown()
    }

    /// Checks the credential and records requests.
    private final class Gate: HTTPResponder {
        private let shard: SessionShard
        private let accepted: Lock<String?>
        private let requests: Lock<[String]>

        init(_ shard: SessionShard, _ accepted: Lock<String?>, _ requests: Lock<[String]>) {
            self.shard = shard
            self.accepted = accepted
            self.requests = requests
        }

        func placement(of request: HTTPRequest) -> Int? { shard.placement(of: request) }

        func drain() { shard.drain() }

        func respond(to request: HTTPRequest) -> HTTPAnswer {
            let position = request.fields.value(.lastEventID).map { " after \($0)" } ?? ""
            requests.withLock { $0.append("\(request.method.rawValue) \(request.target)\(position)") }
            if let accepted = accepted.withLock({ $0 }), request.fields.value(.authorization) != accepted {
                return .response(
                    ProblemDetails(
                        status: .unauthorized, kind: "invalid-credentials", title: "t", detail: "The token has expired."
                    ).response)
            }
            return shard.respond(to: request)
        }
    }
}

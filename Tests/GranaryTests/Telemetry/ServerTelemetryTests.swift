import HTTPModel
import HTTPServer
import Log
import Testing

@testable import Granary

@Suite struct ServerTelemetryTests {
    private static let forOperators = HTTPListener(.address(host: "127.0.0.1", port: 0), role: .admin)

    private func telemetry(
        _ listeners: [HTTPListener] = [], inherited: InheritedSockets.Origin? = nil, servesMetrics: Bool = true
    ) -> ServerTelemetry {
        var configuration = Configuration()
        configuration.server.listeners = listeners
        configuration.servesMetrics = servesMetrics
        let sockets = inherited.map { InheritedSockets(origin: $0, sockets: []) }
        return ServerTelemetry(configuration, inherited: sockets, log: .silent)
    }

    @Test func `only a server that operators can ask has metrics`() {
        #expect(telemetry().registry == nil)
        #expect(telemetry([HTTPListener(.address(host: "127.0.0.1", port: 0))]).registry == nil)
        #expect(telemetry(inherited: .predecessor).registry == nil)
        #expect(telemetry([Self.forOperators]).registry != nil)
        #expect(telemetry(inherited: .supervisor).registry != nil)
        #expect(telemetry([Self.forOperators], servesMetrics: false).registry == nil)
    }
}

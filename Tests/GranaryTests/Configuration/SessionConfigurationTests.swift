import MachineHost
import Testing

@testable import Granary

struct SessionConfigurationTests {
    @Test func `the configured values for sessions reach the host`() throws {
        let flags = [
            ("sessions.maxOutputBytes", "2MiB"), ("sessions.maxSessionBytes", "3MiB"), ("sessions.maxBytes", "4MiB"),
            ("sessions.historyBytes", "5KiB"), ("sessions.idempotencyKeys", "6"),
            ("sessions.idempotencyBytes", "7KiB"), ("sessions.creationKeys", "8"),
        ]
        let host = try ConfigurationLoader.load(.standard, file: nil, environment: [:], flags: flags).sessions
        #expect(host.maxOutputBytes == 2 << 20)
        #expect(host.maxSessionBytes == 3 << 20)
        #expect(host.maxBytes == 4 << 20)
        #expect(host.historyBytes == 5 << 10)
        #expect(host.idempotencyKeys == 6)
        #expect(host.idempotencyBytes == 7 << 10)
        #expect(host.creationKeys == 8)
    }

    @Test func `the configured treatment of the disk reaches the store`() throws {
        let flags = [
            ("sessions.diskReserve", "5MiB"), ("sessions.moveAside", "true"), ("sessions.revertWindow", "2h"),
        ]
        let configuration = try ConfigurationLoader.load(.standard, file: nil, environment: [:], flags: flags)
        #expect(configuration.storage.diskReserve == 5 << 20)
        #expect(configuration.storage.movesAside)
        #expect(configuration.sessions.revertWindow == .seconds(7200))
    }

    @Test func `the time after which sessions sleep reaches the host, and zero means never`() throws {
        func hibernateAfter(_ flags: [(String, String)]) throws -> Duration? {
            try ConfigurationLoader.load(.standard, file: nil, environment: [:], flags: flags).sessions.hibernateAfter
        }
        #expect(try hibernateAfter([]) == .seconds(60))
        #expect(try hibernateAfter([("sessions.hibernateAfter", "5m")]) == .seconds(300))
        #expect(try hibernateAfter([("sessions.hibernateAfter", "0ms")]) == nil)
    }

    @Test func `a history size beyond the range of its positions is rejected`() {
        #expect(throws: ConfigurationError.self) {
            try ConfigurationLoader.load(
                .standard, file: nil, environment: [:], flags: [("sessions.historyBytes", "5GiB")])
        }
    }
}

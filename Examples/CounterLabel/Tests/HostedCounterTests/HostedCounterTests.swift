import AsyncBinding
import Combine
import Foundation
import HTTPModel
import HTTPServer
import HostedCounter
import Log
import MachineAdapters
import MachineHost
import Ricemill
import Testing

/// Tests the label with a real server in the same process, over a real connection.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct HostedCounterTests {
    /// Hosts the counter on a free port while the closure runs.
    private func serving(_ body: (URL, SessionHost) async throws -> Void) async throws {
        let host = try SessionHost([
            .ricemill("counter", summary: "Counts.") { _ in
                Counter(input: .init(), store: .init(), extra: .init())
            }
        ])
        let server = HTTPServer(configuration: HTTPServerConfiguration(port: 0), log: .silent) { loop in
            host.makeShard(on: loop)
        }
        let address = try server.start()
        let url = try #require(URL(string: "http://127.0.0.1:\(address.port)"))
        do {
            try await body(url, host)
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
    }

    @Test func `a label shows what a hosted counter counts, until the session ends`() async throws {
        try await serving { server, _ in
            let counter = try await HostedCounter(on: server)
            var texts: [String] = []
            let (shown, showing) = AsyncStream.makeStream(of: String.self)
            let label = Label { text in
                texts.append(text ?? "")
                showing.yield(text ?? "")
            }
            let binding = label.asyncBinding.bind(\.text) <~ counter.counts.map { $0.description }
            var seen = shown.makeAsyncIterator()
            #expect(await seen.next() == "0")
            for number in 1...3 {
                try await counter.increment()
                #expect(await seen.next() == "\(number)")
            }
            try await counter.end()
            guard case .completed = await binding.end else {
                Issue.record("expected a stream that ends with its session")
                return
            }
            #expect(texts == ["0", "1", "2", "3"])
        }
    }

    @Test func `the stream is left when the label goes first`() async throws {
        try await serving { server, host in
            let counter = try await HostedCounter(on: server)
            let (shown, showing) = AsyncStream.makeStream(of: Void.self)
            var label: Label? = Label { _ in showing.yield() }
            let counts = counter.counts
            let binding = (label ?? Label { _ in }).asyncBinding.bind(\.text) <~ counts.map { $0.description }
            var seen = shown.makeAsyncIterator()
            _ = await seen.next()
            #expect(host.streamCount == 1)
            label = nil
            #expect(binding.isDisposed)
            let limit = ContinuousClock.now + .seconds(20)
            while host.streamCount > 0, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(2)) }
            #expect(host.streamCount == 0)
        }
    }

    @Test func `a server that does not host the counter is an error`() async throws {
        let host = try SessionHost([])
        let server = HTTPServer(configuration: HTTPServerConfiguration(port: 0), log: .silent) { loop in
            host.makeShard(on: loop)
        }
        let address = try server.start()
        let url = try #require(URL(string: "http://127.0.0.1:\(address.port)"))
        await #expect(throws: HostedCounter.Refusal.self) { try await HostedCounter(on: url) }
        await server.shutdown()
    }
}

/// The machine that the tests host.
private final class Counter: Machine<Counter> {
    typealias Output = Store

    struct Input: InputType {
        let increment = PassthroughSubject<Void, Never>()
    }

    final class Store: StoredOutputType {
        @Published var count = 0
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let counts = input.increment.map { store.count + 1 }
        return Polished(cancellables: [counts.assign(to: \.count, on: store)])
    }
}

import Foundation
import HTTPModel
import HTTPServerTesting
import Testing

/// One client that takes as much as it can, and another one beside it.
struct FloodTests {
    /// The number of inputs of a phase, and of phases of each kind.
    private static let (inputs, phases) = (100, 4)
    /// The time between two inputs, so that the client stays within its own rate.
    private static let pace = Duration.milliseconds(10)

    private let folder = "/tmp/granary-flood-\(UUID().uuidString)"
    private let keys: String

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        keys = "\(folder)/api.keys"
        try Data().write(to: URL(filePath: keys))
    }

    private func key(_ name: String) throws -> String {
        try GranaryProcess(["keys", "new", name, "--access.apiKeys", keys]).outcome().standardOutput
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func head(_ target: String, _ key: String, length: Int = 0) -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// Creates a session and returns its path.
    private func session(_ client: HTTPTestClient, _ key: String) throws -> String {
        let body = #"{"machine":"counter"}"#
        try client.send(head("/v1/sessions", key, length: body.utf8.count) + body)
        let response = try client.receiveResponse()
        return try #require(response.fields.value("location"), "\(response.text)")
    }

    /// What a client has measured.
    private struct Sample {
        /// The time that each input took.
        var latencies: [Duration] = []
        /// How much later than requested the client's own thread ran, which the server cannot influence.
        var delays: [Duration] = []

        static func += (sum: inout Sample, sample: Sample) {
            sum.latencies += sample.latencies
            sum.delays += sample.delays
        }
    }

    /// The 99th percentiles of a client's times.
    private struct Outcome {
        // Below this, the kernel's scheduling of the test's own threads decides: the flood, the other client and the server
        // share the processors of the machine.
        private static let floor = Duration.milliseconds(10)

        /// Of the latency before and during the flood.
        var before: Duration
        var during: Duration
        /// Of the delay of the client's thread during the flood.
        var delay: Duration

        /// An input needs two threads, the server's and the client's, which both wait for a processor.
        var isBarelyAffected: Bool { during <= max(before * 3 / 2, Outcome.floor) + delay * 2 }
    }

    /// Sends inputs one after another.
    private func sample(_ client: HTTPTestClient, _ session: String, _ key: String) throws -> Sample {
        let never = DispatchSemaphore(value: 0)
        var sample = Sample()
        for _ in 0..<FloodTests.inputs {
            let planned = ContinuousClock.now + FloodTests.pace
            _ = never.wait(timeout: .now() + .nanoseconds(Int(FloodTests.pace.wholeNanoseconds)))
            let begin = ContinuousClock.now
            sample.delays.append(begin - planned)
            try client.send(head("\(session)/inputs/increment", key))
            let response = try client.receiveResponse()
            #expect(response.status == 200, "\(response.text)")
            sample.latencies.append(ContinuousClock.now - begin)
        }
        return sample
    }

    private func quantile99(_ durations: [Duration]) -> Duration {
        durations.sorted()[(durations.count - 1) * 99 / 100]
    }

    /// Starts a server.
    private func start(_ limits: [String]) throws -> (GranaryProcess, port: UInt16) {
        let granary = try GranaryProcess(
            [
                "serve", "--http.port", "0", "--http.loops", "2", "--sessions.durability", "process",
                "--access.apiKeys", keys,
                // The calm client is idle until the flood was refused for each limit.
                "--http.headTimeout", "1h", "--http.idleTimeout", "1h",
            ] + limits)
        let address = try #require(granary.address())
        return (granary, try #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
    }

    /// The limits that a flood exceeds.
    private static let limits = [
        "--rates.sessions", "20/1s", "--rates.streams", "20/1s", "--quotas.sessions", "12", "--quotas.streams", "4",
    ]

    @Test func `one client's flood is refused, and another client is served`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (greedy, calm) = (try key("greedy"), try key("calm"))
        let (granary, port) = try start(FloodTests.limits + ["--rates.inputs", "40/1s", "--quotas.bytes", "40KiB"])
        let client = try HTTPTestClient(port: port)
        let (flooded, own) = (try session(client, greedy), try session(client, calm))

        let begin = ContinuousClock.now
        let flood = Flood(port: port, key: greedy, session: flooded)
        let limits: Set = ["inputs", "sessions", "streams", "stored-bytes", "stream-count"]
        #expect(await eventually { flood.current.exceeded.isSuperset(of: limits) }, "\(flood.current)")
        // Fewer than each of the two loops permits in any time.
        for _ in 0..<15 {
            try client.send(head("\(own)/inputs/increment", calm))
            let response = try client.receiveResponse()
            #expect(response.status == 200, "\(response.text)")
        }
        let tally = flood.end()
        #expect(tally.wrong.isEmpty, "\(tally.wrong)")

        #expect(granary.end(with: SIGTERM).status == 0)
        let log = granary.outcome().standardError
        let audits = log.split(separator: "\n").filter { $0.contains("quota reached") || $0.contains("rate exceeded") }
        // Not a line for each refusal, but five lines and a count for each of six limits, in each interval of ten seconds that has begun.
        // On a slow machine, there are several intervals, with fewer refusals in each.
        let intervals = Int((ContinuousClock.now - begin) / .seconds(10)) + 1
        #expect((1...36 * intervals).contains(audits.count), "\(audits.count) lines, \(tally.refused) refusals")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["MEASURE_TIME"] != nil, "It measures time."))
    func `one client's flood hardly affects another client`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (greedy, calm) = (try key("greedy"), try key("calm"))
        let (granary, port) = try start(FloodTests.limits + ["--rates.inputs", "120/1s", "--quotas.bytes", "80KiB"])
        let client = try HTTPTestClient(port: port)
        let (flooded, own) = (try session(client, greedy), try session(client, calm))
        _ = try sample(client, own, calm)

        // Another process of the machine can delay anything, but hardly three times in a row.
        var outcomes: [Outcome] = []
        repeat {
            var (before, during) = (Sample(), Sample())
            // Alternating, so that both have the same share of what else the machine does.
            for _ in 0..<FloodTests.phases {
                before += try sample(client, own, calm)
                let flood = Flood(port: port, key: greedy, session: flooded)
                during += try sample(client, own, calm)
                let tally = flood.end()
                #expect(tally.refused > tally.accepted, "\(tally)")
            }
            outcomes.append(
                Outcome(
                    before: quantile99(before.latencies), during: quantile99(during.latencies),
                    delay: quantile99(during.delays)))
        } while outcomes.count < 3 && outcomes.last?.isBarelyAffected != true
        #expect(outcomes.last?.isBarelyAffected == true, "99th percentiles before and during the flood: \(outcomes)")
        #expect(granary.end(with: SIGTERM).status == 0)
        print("99th percentiles before and during the flood: \(outcomes)")
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["MEASURE_TIME"] != nil, "It measures time."),
        arguments: MultiplexedFlood.Kind.allCases)
    func `requests in flight on one connection delay another client by 10 ms at most`(
        _ kind: MultiplexedFlood.Kind
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (greedy, calm) = (try key("greedy"), try key("calm"))
        let (keySet, configuration) = ("\(folder)/issuer.json", "\(folder)/granary.json5")
        try Data(MultiplexedFlood.keys.utf8).write(to: URL(filePath: keySet))
        let issuer = #"{issuer: "\#(MultiplexedFlood.issuer)", audiences: ["granary"], algorithms: ["ES256"], "#
        try Data("{access: {jwt: [\(issuer)keys: \"\(keySet)\"}]}}".utf8).write(to: URL(filePath: configuration))
        let (granary, port) = try start([
            "--config", configuration, "--sessions.maxSessionsPerClient", "100000",
            "--sessions.maxNewSessionsPerClient", "100000",
        ])
        let client = try HTTPTestClient(port: port)
        let (flooded, own) = (try session(client, greedy), try session(client, calm))
        _ = try sample(client, own, calm)

        // Another process of the machine can delay anything, but hardly three times in a row.
        var worst: [(before: Duration, during: Duration, delay: Duration)] = []
        var isBarelyAffected = false
        while worst.count < 3, !isBarelyAffected {
            let before = try sample(client, own, calm)
            let flood = MultiplexedFlood(kind, port: port, key: greedy, session: flooded)
            let beginning = flood.answeredAtBeginning()
            let during = try sample(client, own, calm)
            let outcome = flood.end()
            #expect(outcome.error == nil && outcome.answered > beginning, "\(outcome), \(beginning) at the beginning")
            let most = (
                before: before.latencies.max() ?? .zero, during: during.latencies.max() ?? .zero,
                delay: during.delays.max() ?? .zero
            )
            worst.append(most)
            isBarelyAffected = most.during <= most.before + .milliseconds(10) + most.delay * 2
        }
        #expect(isBarelyAffected, "\(kind): longest times before and during the flood: \(worst)")
        #expect(granary.end(with: SIGTERM).status == 0)
        print("\(kind): longest times before and during the flood: \(worst)")
    }
}

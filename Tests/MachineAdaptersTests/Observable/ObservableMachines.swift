import CombineCore
import HTTPModel
import MachineAdapters
import MachineHost
import Observation

/// A class that belongs to no actor.
@Observable
final class Shelf {
    struct Full: Error {}
    struct Unknown: Error {}

    var count = 0
    var query = ""
    private(set) var rows: [ShelfRow] = []
    private(set) var named: [String: ShelfRow] = [:]
    private(set) var newest: ShelfRow?
    let label = ShelfRow("shelf")
    var summary: String { "\(count) of \(rows.count)" }
    @ObservationIgnored private(set) var secret = 0

    func increment() {
        count += 1
        count += 1
        count -= 1
    }

    func add(_ text: String) throws {
        guard rows.count < 2 else { throw Full() }
        guard !text.isEmpty else { throw Unknown() }
        let row = ShelfRow(text)
        rows.append(row)
        named[text] = row
        newest = row
    }

    func rename(_ name: String) { label.text = name }
    func shout() { rows.last?.text += "!" }
    func clear() {
        rows = []
        named = [:]
        newest = nil
    }
    func hide() { secret += 1 }

    static func definition() throws -> MachineDefinition {
        try .observable(
            "shelf", summary: "Keeps rows.",
            outputs: [
                .value("count", \.count), .value("query", \.query), .value("summary", \.summary),
                .list("rows", \.rows, [.value("text", \.text)]),
                .dictionary("named", \.named, [.value("text", \.text)]),
                .object("newest", \.newest, [.value("text", \.text)]),
                .object("label", \.label, [.value("text", \.text)]),
            ],
            inputs: [
                .call("increment", Shelf.increment), .call("add", Shelf.add(_:)), .call("rename", Shelf.rename(_:)),
                .call("shout", Shelf.shout), .call("clear", Shelf.clear), .call("hide", Shelf.hide),
                .set("query", \.query), .call("double") { shelf in { shelf.count = (shelf.count * 2) % 1000 } },
            ],
            rejecting: { $0 is Full ? .conflict("the shelf is full") : .invalidValue("expected a text, got none") }
        ) { _ in Shelf() }
    }
}

/// A nested object.
@Observable
final class ShelfRow: Codable {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case _text = "text"
    }
}

/// A class with publishers.
final class Dial: ObservableObject {
    @Published var angle = 0
    @Published private(set) var needles = [Needle(), Needle()]
    let clicked = PassthroughSubject<Int, Never>()

    func turn(_ by: Int) {
        angle = (angle &+ by) % 1000
        clicked.send(angle)
    }
    func bend() { needles.last?.length += 1 }
    func drop() { if !needles.isEmpty { needles.removeFirst() } }

    static func definition() throws -> MachineDefinition {
        try .observable(
            "dial", summary: "Turns.",
            outputs: [
                .value("angle", \.angle), .list("needles", \.needles, [.value("length", \.length)]),
                .event("clicked", \.clicked),
            ],
            inputs: [
                .call("turn", Dial.turn(_:)), .call("bend", Dial.bend), .call("drop", Dial.drop),
                .set("angle", \.angle),
            ], transient: ["needles"]
        ) { _ in Dial() }
    }
}

/// A nested object with publishers.
final class Needle: ObservableObject {
    @Published var length = 1
}

/// A class on the main actor, with asynchronous inputs.
@MainActor
@Observable
final class Loader: Resumable {
    struct Failure: Error {}

    private(set) var isLoading = false
    private(set) var facts: [String] = []
    private(set) var interrupted: [String] = []
    private(set) var ticks = 0
    @ObservationIgnored private let fetch: @Sendable (Int) async throws -> String

    init(fetch: @escaping @Sendable (Int) async throws -> String = { "\($0)" }) {
        self.fetch = fetch
    }

    func load(_ number: Int) async throws {
        MainActor.assertIsolated()
        isLoading = true
        defer { isLoading = false }
        facts.append(try await fetch(number))
        MainActor.assertIsolated()
    }

    func loadSlowly(_ number: Int) async throws {
        isLoading = true
        defer { isLoading = false }
        try await Task.sleep(for: .seconds(100))
        MainActor.assertIsolated()
        facts.append("slow \(number)")
        try await Task.sleep(for: .seconds(100))
        facts.append("slower \(number)")
    }

    /// Works for some real time before it waits until an instant.
    func loadLate() async throws {
        let end = ContinuousClock.now + .seconds(100)
        while ContinuousClock.now < end - .milliseconds(99_985) {}
        try await Task.sleep(until: end)
        facts.append("late")
    }

    /// Starts tasks of every kind.
    func spread() async {
        async let child = own("child")
        await child
        await withTaskGroup(of: Void.self) { group in
            for name in ["first", "second"] { group.addTask { await self.own(name) } }
        }
        Task { await own("inherited") }
        await Task.detached { await self.own("detached") }.value
    }

    func tick() {
        Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(10))
                ticks += 1
            }
        }
    }

    func fail() async throws { throw Failure() }
    func failLater() async throws {
        try await Task.sleep(for: .seconds(100))
        throw Failure()
    }
    func clear() { facts = [] }

    private func own(_ name: String) async {
        MainActor.assertIsolated()
        await Task.yield()
        facts.append(name)
    }

    nonisolated func resumed(_ interrupted: [InterruptedWork]) {
        MainActor.assumeIsolated { self.interrupted = interrupted.map(\.name) }
    }

    static func definition(
        fetch: @escaping @Sendable (Int) async throws -> String = { "\($0)" }
    ) throws -> MachineDefinition {
        try .observable(
            "loader", summary: "Loads facts.",
            outputs: [
                .value("isLoading", \.isLoading), .value("facts", \.facts), .value("interrupted", \.interrupted),
                .value("ticks", \.ticks),
            ],
            inputs: [
                .call("load", Loader.load(_:)), .call("loadSlowly", Loader.loadSlowly(_:)),
                .call("loadLate", Loader.loadLate),
                .call("spread", Loader.spread), .call("tick", Loader.tick), .call("fail", Loader.fail),
                .call("failLater", Loader.failLater), .call("clear", Loader.clear),
            ],
            rejecting: { _ in .conflict("it has failed") }
        ) { _ in Loader(fetch: fetch) }
    }
}

/// A class that belongs to no actor, with asynchronous inputs.
@Observable
final class Kettle {
    private(set) var steps: [String] = []
    @ObservationIgnored private let isOnLoop: () -> Bool

    init(isOnLoop: @escaping () -> Bool) {
        self.isOnLoop = isOnLoop
    }

    func boil(_ minutes: Int) async {
        note("heating")
        for _ in 0..<min(max(minutes, 0), 3) { try? await Task.sleep(for: .seconds(60)) }
        note("boiling")
        await settle()
    }

    private func settle() async { note("done") }

    private func note(_ step: String) { steps.append(isOnLoop() ? step : "\(step) elsewhere") }

    static func definition() throws -> MachineDefinition {
        try .observable(
            "kettle", summary: "Boils.", outputs: [.value("steps", \.steps)], inputs: [.call("boil", Kettle.boil(_:))]
        ) { context in
            let loop = context.loop
            return Kettle { loop.isCurrent }
        }
    }
}

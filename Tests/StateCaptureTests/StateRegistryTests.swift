import StateCapture
import Testing

private struct Sample: Codable, Equatable {
    var values: [Int]
    var time: StoredTime
}

private struct Broken: Codable {
    var fails: Bool

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if fails { throw EncodingError.invalidValue(fails, .init(codingPath: [], debugDescription: "broken")) }
        try container.encode(fails)
    }
}

@Suite struct StateRegistryTests {
    @Test func `a part is captured when it changes, and once more when it ends`() throws {
        let counter = Counter<Int?>(1)
        var machine = Captured { $0.register(counter) }
        #expect(try machine.capture() == ["counter.0": "[1]"])
        #expect(try machine.capture() == [:])
        counter.state = .some(nil)
        #expect(try machine.capture() == ["counter.0": "[null]"])
        counter.state = nil
        #expect(try machine.capture() == ["counter.0": "null"])
        #expect(try machine.capture() == [:])
    }

    @Test func `the memory of parts is estimated when they are wired, and as their states grow`() throws {
        let (counter, text) = (Counter<Int>(0), Counter<String>(""))
        var machine = Captured {
            $0.register(counter)
            $0.register(text)
        }
        let alone = machine.registry.byteCount
        #expect((2 * 200...2 * 400).contains(alone))
        text.state = String(repeating: "a", count: 100_000)
        try machine.store()
        #expect(machine.registry.byteCount >= alone + 100_000)
        text.state = ""
        try machine.store()
        for number in 0..<1000 {
            counter.state = number
            try machine.store()
        }
        #expect(machine.registry.byteCount < alone + 1000)
    }

    @Test func `a part is restored when it registers and again after the wiring, and then resumes`() throws {
        let counter = Counter<Int>(0)
        let machine = Captured(restoring: [try counterKey(Int.self): "[7]"]) { registry in
            #expect(StateRegistry.isRestoring)
            registry.register(counter)
            #expect(counter.state == 7)
            counter.state = 100
        }
        #expect(!StateRegistry.isRestoring && StateRegistry.current == nil)
        #expect(machine.registry.resume() == [])
        #expect(counter.state == 7)
        #expect(counter.calls == ["restore", "restore", "resume"])
    }

    @Test func `a state whose bytes do not show changes is put back after the wiring`() throws {
        final class Reference: Codable {
            var number = 1
        }
        let key = try counterKey(Reference.self)
        let counter = Counter<Reference>(nil)
        var machine = Captured(restoring: [key: "[{\"number\":2}]"]) { $0.register(counter) }
        counter.state = Reference()
        _ = machine.registry.resume()
        #expect(counter.state?.number == 2)
        #expect(try machine.capture() == [:])
        counter.state?.number = 3
        #expect(try machine.capture() == ["counter.0": "[{\"number\":3}]"])
    }

    @Test func `a change of a session leaves the others as they began`() throws {
        let counters = [Counter(1), Counter(1)]
        var machines = counters.map { counter in Captured { $0.register(counter) } }
        for index in machines.indices { _ = try machines[index].capture() }
        counters[0].state = 2
        #expect(try machines[0].capture() == ["counter.0": "[2]"])
        #expect(try machines.map { try $0.all().values.sorted() } == [["[2]"], ["[1]"]])
    }

    @Test func `a part that had ended is restored once and does not resume`() throws {
        let counter = Counter<Int>(0)
        var machine = Captured(restoring: [try counterKey(Int.self): "null"]) { $0.register(counter) }
        #expect(machine.registry.resume() == [])
        #expect(counter.state == nil && counter.calls == ["restore"])
        #expect(try machine.capture() == [:])
    }

    @Test func `a part that nothing uses any more ends and is released`() throws {
        var machine = Captured { $0.register(Counter<Int>(1)) }
        #expect(try machine.capture() == ["counter.0": "null"])
        weak var released: Counter<Int>?
        do {
            let counter = Counter<Int>(2)
            released = counter
            machine = Captured { $0.register(counter) }
            #expect(try machine.capture() == ["counter.0": "[2]"])
        }
        #expect(try machine.capture() == ["counter.0": "null"])
        #expect(released == nil)
    }

    @Test func `a part with a value that is not Codable is an obstacle`() {
        final class Opaque {}
        let machine = Captured { $0.register(Counter<Opaque>(Opaque())) }
        #expect(machine.registry.obstacles.map(\.part) == ["counter"])
        #expect(machine.registry.obstacles.first?.type.contains("Opaque") == true)
    }

    @Test func `a stored state of another type leaves the part as it is`() throws {
        let counter = Counter<Int>(3)
        let machine = Captured(restoring: [try counterKey(Int.self): "[\"x\"]"]) { $0.register(counter) }
        #expect(machine.registry.mismatches == [try counterKey(Int.self)])
        #expect(counter.state == 3)
    }

    @Test func `times keep their wall time on the clock of another process`() throws {
        let counter = Counter(Sample(values: [1], time: StoredTime(nanoseconds: 50)))
        var machine = Captured { $0.register(counter) }
        #expect(try machine.capture() == ["counter.0": "[{\"values\":[1],\"time\":1050}]"])
        let twin = Counter(Sample(values: [], time: StoredTime(nanoseconds: 0)))
        _ = Captured(restoring: machine.parts, clockOffset: 1_030) { $0.register(twin) }
        #expect(twin.state == Sample(values: [1], time: StoredTime(nanoseconds: 20)))
    }

    @Test func `an equal state in another buffer is no change`() throws {
        let counter = Counter([1, 2, 3])
        var machine = Captured { $0.register(counter) }
        _ = try machine.capture()
        counter.state = (1...3).map { $0 }
        #expect(try machine.capture() == [:])
    }

    @Test func `a value that cannot be encoded does not keep the others from being captured`() throws {
        let broken = Counter(Broken(fails: true))
        let counter = Counter(1)
        let registry = StateRegistry(clockOffset: 0)
        registry.wire {
            registry.register(counter)
            registry.register(broken)
            registry.register(Counter(0))
        }
        var bytes: [UInt8] = []
        #expect(throws: EncodingError.self) { try registry.appendChanges(to: &bytes) }
        #expect(Captured.states(bytes).values.sorted() == ["[1]", "null"])
        broken.state = Broken(fails: false)
        bytes = []
        #expect(try registry.appendChanges(to: &bytes) == 1)
    }

    @Test func `the parts of a scope keep their keys and replace those of the former call`() throws {
        let (first, second, other) = (Counter(1), Counter(2), Counter(3))
        var scope: StateScope?
        var machine = Captured { registry in
            scope = registry.makeScope(named: "attempt")
            scope?.wire { registry.register(first) }
            registry.register(other)
        }
        #expect(try machine.capture() == ["attempt.0/counter.0": "[1]", "counter.0": "[3]"])
        let registry = machine.registry
        scope?.wire { registry.register(second) }
        #expect(try machine.capture() == ["attempt.0/counter.0": "[2]"])
        first.state = 9
        #expect(try machine.capture() == [:])
    }

    @Test func `what a scope postpones after the wiring runs when its call ends`() {
        var calls: [String] = []
        var scope: StateScope?
        let machine = Captured { registry in
            scope = registry.makeScope(named: "attempt")
            scope?.wire { registry.afterWiring { calls.append("first") } }
            #expect(calls == [])
        }
        #expect(calls == ["first"])
        scope?.wire { machine.registry.afterWiring { calls.append("second") } }
        #expect(calls == ["first", "second"])
    }

    @Test func `parts outside of the registry are not captured`() throws {
        var machine = Captured { registry in
            StateRegistry.withoutRegistry { #expect(StateRegistry.current == nil) }
            #expect(StateRegistry.current === registry)
        }
        #expect(try machine.capture() == [:])
    }

    @Test func `actions after the wiring run in their order`() {
        var calls: [Int] = []
        _ = Captured { registry in
            registry.afterWiring { calls.append(3) }
            registry.afterWiring(order: 1) { calls.append(1) }
            registry.afterWiring(order: 1) { calls.append(2) }
            registry.afterWiring(order: -1) { calls.append(0) }
            #expect(calls == [])
        }
        #expect(calls == [0, 1, 2, 3])
    }

    @Test func `changes that are cut off end the sequence`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let counter = Counter("text")
        registry.wire { registry.register(counter) }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        #expect(StateChanges(bytes[...]).map(\.key) == [try counterKey(String.self)])
        for count in bytes.indices { #expect(Array(StateChanges(bytes.prefix(count))).isEmpty) }
    }
}

import StateCapture
import Testing

/// All states of a machine, as opposed to those that have changed.
@Suite struct CompleteCaptureTests {
    @Test func `all states are what the changes add up to`() throws {
        let (counter, ended) = (Counter(1), Counter("a"))
        let holder = Holding()
        var machine = Captured { registry in
            registry.registerMembers(of: holder, named: "store")
            registry.register(counter)
            registry.register(ended)
            registry.register(Counter(0.5))
        }
        try machine.store()
        #expect(try machine.all() == machine.parts)
        counter.state = 2
        holder.number = 7
        ended.state = nil
        try machine.store()
        #expect(try machine.all() == machine.parts)
        #expect(machine.parts.values.sorted() == ["7", "[2]", "null", "null"])

        var restored = Captured(restoring: machine.parts) { registry in
            registry.registerMembers(of: holder, named: "store")
            registry.register(counter)
        }
        #expect(restored.registry.resume() == [])
        // The ends of parts that are not wired again stay known.
        #expect(try restored.all() == machine.parts)
        #expect(try restored.capture() == [:])
    }

    @Test func `a state that has not been captured yet is contained and captured later`() throws {
        let counter = Counter([1])
        var machine = Captured { $0.register(counter) }
        #expect(try machine.all().values.sorted() == ["[[1]]"])
        #expect(try machine.capture().count == 1)
        counter.state = [1, 2]
        #expect(try machine.all().values.sorted() == ["[[1,2]]"])
        #expect(try machine.capture() == ["counter.0": "[[1,2]]"])
    }

    @Test func `the ends of replaced parts are contained until others have their keys`() throws {
        let (first, second) = (Counter(1), Counter("a"))
        var scope: StateScope?
        var machine = Captured { registry in
            scope = registry.makeScope(named: "attempt")
            scope?.wire { registry.register(first) }
        }
        try machine.store()
        let registry = machine.registry
        scope?.wire { registry.register(second) }
        #expect(try machine.all().values.sorted() == ["[\"a\"]", "null"])
        try machine.store()
        #expect(try machine.all() == machine.parts)
        scope?.wire { registry.register(first) }
        try machine.store()
        #expect(try machine.all() == machine.parts)
    }

    @Test func `nothing is appended if a state cannot be encoded`() {
        struct Failing: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw Refused() }
            func encode(to encoder: any Encoder) throws { throw Refused() }
        }
        struct Refused: Error {}
        let parts = (Counter(1), Counter(Failing()))
        let machine = Captured { registry in
            registry.register(parts.0)
            registry.register(parts.1)
        }
        var bytes: [UInt8] = [9]
        #expect(throws: Refused.self) { try machine.registry.appendAll(to: &bytes) }
        #expect(bytes == [9])
    }
}

private final class Holding {
    var number = 1
}

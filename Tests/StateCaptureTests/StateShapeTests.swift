import StateCapture
import Testing

@Suite struct StateShapeTests {
    /// Returns the shape of a machine with counters of these states.
    private func shape(_ wire: (StateRegistry) -> Void) -> StateShape { Captured(wire).registry.shape }

    @Test func `the shape lists the parts of the wiring in order`() {
        let holder = Holding()
        let shape = shape { registry in
            registry.registerMembers(of: holder, named: "store")
            registry.register(Counter(1))
            registry.register(Counter(1))
            registry.register(Counter("a"))
            registry.makeSources(of: Int.self, emitting: Int.self, named: "flatMap")
                .map { sources in sources.wire(sources.begin(1)) { registry.register(Counter(2)) } }
        }
        #expect(shape.keys.map(Captured.unmarked) == ["store.0", "counter.0", "counter.1", "counter.0"])
        #expect(Set(shape.keys).count == 4)
    }

    @Test func `parts that register after the wiring do not change the shape`() {
        let machine = Captured { $0.register(Counter(1)) }
        let former = machine.registry.shape
        machine.registry.wire { machine.registry.register(Counter(2)) }
        #expect(machine.registry.shape == former)
    }

    @Test func `the hash depends on the keys and their order`() {
        let (first, second) = (
            shape {
                $0.register(Counter(1))
                $0.register(Counter("a"))
            },
            shape {
                $0.register(Counter("a"))
                $0.register(Counter(1))
            }
        )
        #expect(first.hash != second.hash)
        #expect(shape { $0.register(Counter(1)) }.hash == shape { $0.register(Counter(2)) }.hash)
        #expect(StateShape().hash == 0xCBF2_9CE4_8422_2325)
    }

    @Test func `an operator of another type between two others does not take their state`() throws {
        let counters = (Counter(1), Counter("a"))
        var former = Captured { registry in
            registry.register(counters.0)
            registry.register(counters.1)
        }
        _ = try former.capture()
        let (first, inserted, last) = (Counter(0), Counter(Optional(5)), Counter(""))
        let machine = Captured(restoring: former.parts) { registry in
            registry.register(first)
            registry.register(inserted)
            registry.register(last)
        }
        #expect(first.state == 1 && last.state == "a" && inserted.state == .some(5))
        #expect(machine.registry.resume() == [])
    }

    @Test func `with another number of operators of a type, their states are dropped`() throws {
        let counters = (Counter(1), Counter("a"))
        var former = Captured { registry in
            registry.register(counters.0)
            registry.register(counters.1)
        }
        _ = try former.capture()
        let (inserted, first, last) = (Counter(0), Counter(0), Counter(""))
        func wire(_ registry: StateRegistry) {
            registry.register(inserted)
            registry.register(first)
            registry.register(last)
        }
        let new = shape(wire)
        let registry = StateRegistry(
            restoring: former.parts.mapValues { Array($0.utf8)[...] }, clockOffset: 0, shape: new)
        registry.wire { wire(registry) }
        #expect(registry.mismatches == [counterKey(Int.self)])
        #expect(inserted.state == 0 && first.state == 0 && last.state == "a")
        #expect(registry.resume() == [])
    }

    @Test func `the mark of a type does not depend on the process`() {
        struct Local {}
        #expect(counterKey(Local.self) == counterKey(Local.self))
        #expect(counterKey(Local.self) != counterKey(Int.self))
    }
}

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
        _ = try machine.capture()
        #expect(try machine.all() == machine.parts)
        counter.state = 2
        holder.number = 7
        ended.state = nil
        _ = try machine.capture()
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
        _ = try machine.capture()
        let registry = machine.registry
        scope?.wire { registry.register(second) }
        #expect(try machine.all().values.sorted() == ["[\"a\"]", "null"])
        _ = try machine.capture()
        #expect(try machine.all() == machine.parts)
        scope?.wire { registry.register(first) }
        _ = try machine.capture()
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

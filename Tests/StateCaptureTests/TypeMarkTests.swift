import StateCapture
import Testing

/// The keys under which operators find their state.
@Suite struct TypeMarkTests {
    @Test func `an operator of another type between two others does not take their state`() throws {
        let counters = (Counter(1), Counter("a"))
        var former = Captured { registry in
            registry.register(counters.0)
            registry.register(counters.1)
        }
        try former.store()
        let (first, inserted, last) = (Counter(0), Counter(Optional(5)), Counter(""))
        let machine = Captured(restoring: former.parts) { registry in
            registry.register(first)
            registry.register(inserted)
            registry.register(last)
        }
        #expect(first.state == 1 && last.state == "a" && inserted.state == .some(5))
        #expect(machine.registry.resume() == [])
    }

    @Test func `the state of an operator whose type has changed is dropped and reported`() throws {
        let former = Counter(1)
        var stored = Captured { $0.register(former) }
        try stored.store()
        let counter = Counter("new")
        let machine = Captured(restoring: stored.parts) { $0.register(counter) }
        #expect(counter.state == "new")
        #expect(machine.registry.resume() == [try counterKey(Int.self)])
    }

    @Test func `each place among operators of one type has its own key`() throws {
        let counters = (Counter(1), Counter(2))
        var machine = Captured { registry in
            registry.register(counters.0)
            registry.register(counters.1)
        }
        #expect(try machine.capture() == ["counter.0": "[1]", "counter.1": "[2]"])
    }

    @Test func `the mark of a type is the same in each process`() throws {
        #expect(try counterKey(String.self) != counterKey(Int.self))
        #expect(try counterKey(Int.self) == "counter~d7d6e5.0")
    }
}

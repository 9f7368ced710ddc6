import StateCapture
import Testing

/// Objects with a state that register themselves when they are created.
@Suite struct CreatedPartTests {
    /// An object that registers itself.
    private final class Tank: StateHolder {
        var level: Int

        init(_ level: Int) {
            self.level = level
            StateRegistry.current?.register(created: self, named: "tank")
        }

        var heldState: Int { level }

        func restoreHeld(_ state: Int) { level = state }
    }

    /// The members of a machine.
    private final class Plant {
        let main = Tank(1)
    }

    /// The members of the machine in another build.
    private final class LargerPlant {
        let main = Tank(1)
        let reserve = Tank(2)
    }

    @Test func `an object that is no member is captured under its own name`() throws {
        var tanks: [Tank] = []
        var machine = Captured { _ in tanks = [Tank(5), Tank(6)] }
        #expect(try machine.capture() == ["tank@0.0": "[5]", "tank@0.1": "[6]"])
        #expect(try machine.all() == machine.parts)
        tanks[1].level = 7
        #expect(try machine.capture() == ["tank@0.1": "[7]"])
        tanks.removeFirst()
        #expect(try machine.capture() == ["tank@0.0": "null"])
    }

    @Test func `its stored state is in place when the wiring reads it, and again when the machine is wired`() throws {
        var tank: Tank?
        var machine = Captured(restoring: ["tank@0.0": "[9]"]) { _ in
            tank = Tank(1)
            #expect(tank?.level == 9)
            tank?.level = 100
        }
        #expect(machine.registry.resume() == [])
        #expect(tank?.level == 9)
        #expect(try machine.capture() == [:])
    }

    @Test func `an object that becomes a member is captured as one`() throws {
        var plant: Plant?
        var machine = Captured { registry in
            let made = Plant()
            registry.registerMembers(of: made, named: "plant")
            plant = made
        }
        #expect(try machine.capture() == ["plant.0.main": "1"])
        withExtendedLifetime(plant) {}
    }

    @Test func `a property that another build adds to a store has no effect on what is created later`() throws {
        var own: Tank?
        var machine = Captured { registry in
            registry.registerMembers(of: Plant(), named: "plant")
            own = Tank(3)
        }
        own?.level = 4
        try machine.store()
        #expect(machine.parts["tank@1.0"] == "[4]")
        let plant = Variable<LargerPlant>()
        let restored = Captured(restoring: machine.parts) { registry in
            let made = LargerPlant()
            registry.registerMembers(of: made, named: "plant")
            plant.value = made
            own = Tank(3)
        }
        #expect(restored.registry.resume() == [])
        #expect(own?.level == 4 && plant.value?.reserve.level == 2)
    }

    @Test func `a member of another build does not keep the state of an object that has its number`() throws {
        var own: Tank?
        var machine = Captured { registry in
            let plant = Plant()
            own = Tank(3)
            registry.registerMembers(of: plant, named: "plant")
        }
        own?.level = 4
        try machine.store()
        #expect(machine.parts["tank@0.1"] == "[4]")
        let plant = Variable<LargerPlant>()
        let restored = Captured(restoring: machine.parts) { registry in
            let made = LargerPlant()
            plant.value = made
            own = Tank(3)
            registry.registerMembers(of: made, named: "plant")
        }
        // The number is now that of the member, so the state of the object is dropped and reported.
        #expect(restored.registry.resume() == ["tank@0.1"])
        #expect(plant.value?.reserve.level == 2 && own?.level == 3)
    }

    @Test func `an object that an operator registers again has the name of the operator`() throws {
        var tank: Tank?
        var machine = Captured { registry in
            let made = Tank(1)
            registry.register(holder: made, named: "multicast")
            tank = made
        }
        #expect(try machine.capture() == ["multicast.0": "[1]"])
        let transient = StateRegistry(clockOffset: 0)
        transient.transient = ["multicast"]
        transient.wire {
            let made = Tank(1)
            transient.register(holder: made, named: "multicast")
            tank = made
        }
        var bytes: [UInt8] = []
        #expect(try transient.appendChanges(to: &bytes) == 0)
        withExtendedLifetime(tank) {}
    }

    @Test func `an object that a source registers again keeps its name, because it may outlive the source`() throws {
        let tank = Variable<Tank>()
        var scope: StateScope?
        var machine = Captured { registry in
            scope = registry.makeScope(named: "attempt")
            tank.value = Tank(1)
        }
        let registry = machine.registry
        scope?.wire { if let tank = tank.value { registry.register(holder: tank, named: "multicast") } }
        #expect(try machine.capture() == ["tank@0.0": "[1]"])
        // An object that the source creates belongs to the source.
        scope?.wire { tank.value = Tank(2) }
        #expect(try machine.capture() == ["tank@0.0": "null", "attempt.0/tank@0.0": "[2]"])
    }

    @Test func `what a decoded value creates is no part of the machine`() throws {
        struct Loaded: Codable {
            var level: Int

            init(level: Int) { self.level = level }

            init(from decoder: any Decoder) throws {
                level = try decoder.singleValueContainer().decode(Int.self)
                _ = Tank(level)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(level)
            }
        }
        final class Model {
            var loaded = Loaded(level: 1)
        }
        var tank: Tank?
        let counter = Counter<Loaded>(Loaded(level: 1))
        func wire(_ registry: StateRegistry) {
            registry.register(counter)
            registry.registerMembers(of: Model(), named: "model")
            tank = Tank(3)
        }
        var machine = Captured(wire)
        tank?.level = 4
        try machine.store()
        let restored = Captured(restoring: machine.parts, wire)
        #expect(restored.registry.resume() == [])
        #expect(tank?.level == 4)
    }

    @Test func `a scope reports whether it has stored parts`() throws {
        var scopes: [StateScope] = []
        func wire(_ registry: StateRegistry) {
            scopes = [registry.makeScope(named: "a"), registry.makeScope(named: "b")]
        }
        let counter = Counter(1)
        var machine = Captured(wire)
        scopes[1].wire { machine.registry.register(counter) }
        try machine.store()
        var isStored: [Bool] = []
        _ = Captured(restoring: machine.parts) { registry in
            wire(registry)
            isStored = scopes.map(\.isStored)
            scopes[1].wire { registry.register(counter) }
            isStored += scopes.map(\.isStored)
        }
        #expect(isStored == [false, true, false, false])
    }
}

/// A variable that a closure sets.
private final class Variable<Value> {
    var value: Value?
}

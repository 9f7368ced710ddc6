import StateCapture
import Testing

private class Base {
    private var hidden = 1
    let constant: Int
    var hiddenValue: Int {
        get { hidden }
        set { hidden = newValue }
    }

    init(constant: Int = 2) { self.constant = constant }
}

private enum Mode: String, Codable { case list, grid }

private struct Filter {
    var text = "all"
    var range = Range(lower: 0)
}

private struct Range {
    var lower: Int
    var closure: () -> Int = { 1 }
}

private final class Reference: Codable, Equatable {
    var number: Int
    init(_ number: Int) { self.number = number }
    static func == (lhs: Reference, rhs: Reference) -> Bool { lhs.number == rhs.number }
}

private final class Opaque {}

private final class Store: Base {
    var numbers = [1, 2]
    var title: String?
    var mode = Mode.list
    var filter = Filter()
    var pair = (1, "a")
    @Held var held = 5
    var reference = Reference(1)
    var ratio = 0.5
    var handler: (() -> Void)?
    lazy var late = 4
}

private final class Stubborn {
    var fine = 1
    var token = Opaque()
    @Held var held = Opaque()
}

@Suite struct MemberTests {
    private func captured(_ store: Store, transient: Set<String> = []) -> Captured {
        Captured { $0.registerMembers(of: store, named: "store", transient: transient) }
    }

    @Test func `all members of a class are captured, inherited and nested ones too`() throws {
        var machine = captured(Store(constant: 3))
        let changes = try machine.capture()
        #expect(
            changes == [
                "store.0.hidden": "1", "store.0.constant": "3", "store.0.numbers": "[1,2]", "store.0.title": "null",
                "store.0.mode": "\"list\"", "store.0.filter.text": "\"all\"", "store.0.filter.range.lower": "0",
                "store.0.pair": "[1,\"a\"]", "store.0.held": "5", "store.0.reference": "{\"number\":1}",
                "store.0.ratio": "0.5", "store.0.late": "null",
            ])
        #expect(machine.registry.obstacles == [])
    }

    @Test func `only members that changed are captured again`() throws {
        let store = Store()
        var machine = captured(store)
        _ = try machine.capture()
        #expect(try machine.capture() == [:])
        store.numbers[1] = 9
        store.title = "new"
        store.filter.range.lower = 4
        store.held = 6
        store.hiddenValue = 7
        #expect(
            try machine.capture() == [
                "store.0.numbers": "[1,9]", "store.0.title": "\"new\"", "store.0.filter.range.lower": "4",
                "store.0.held": "6", "store.0.hidden": "7",
            ])
        store.title = "new"
        store.mode = .list
        #expect(try machine.capture() == [:])
    }

    @Test func `a change inside an object that a member refers to is found`() throws {
        let store = Store()
        var machine = captured(store)
        _ = try machine.capture()
        store.reference.number = 2
        #expect(try machine.capture() == ["store.0.reference": "{\"number\":2}"])
        store.reference = Reference(2)
        #expect(try machine.capture() == [:])
    }

    @Test func `members are restored`() throws {
        let store = Store()
        var machine = captured(store)
        store.numbers = [7]
        store.title = "seven"
        store.mode = .grid
        store.filter = Filter(text: "some", range: Range(lower: 3))
        store.pair = (2, "b")
        store.held = 8
        store.hiddenValue = 9
        store.reference = Reference(3)
        _ = try machine.capture()

        let twin = Store()
        var restored = Captured(restoring: machine.parts) { $0.registerMembers(of: twin, named: "store") }
        #expect(restored.registry.resume() == [])
        #expect(restored.registry.mismatches == [])
        #expect(twin.numbers == [7] && twin.title == "seven" && twin.mode == .grid && twin.held == 8)
        #expect(twin.filter.text == "some" && twin.filter.range.lower == 3 && twin.pair == (2, "b"))
        #expect(twin.hiddenValue == 9 && twin.reference.number == 3)
        #expect(try restored.capture() == [:])
    }

    @Test func `what the wiring writes to restored members is undone`() throws {
        var machine = captured(Store())
        _ = try machine.capture()
        let twin = Store()
        var reference: Reference?
        var restored = Captured(restoring: machine.parts.merging(["store.0.numbers": "[5]"]) { $1 }) { registry in
            registry.registerMembers(of: twin, named: "store")
            twin.numbers = []
            twin.held = 100
            reference = twin.reference
        }
        _ = restored.registry.resume()
        #expect(twin.numbers == [5] && twin.held == 5)
        // An unchanged object stays the same, because the wiring may have kept it.
        #expect(twin.reference === reference)
        #expect(try restored.capture() == [:])
    }

    @Test func `a property that cannot be captured is named`() throws {
        let machine = Captured { $0.registerMembers(of: Stubborn(), named: "store") }
        #expect(
            machine.registry.obstacles.map(\.part) == ["Stubborn.token", "Stubborn.held"])
        #expect(machine.registry.obstacles.allSatisfy { $0.type.hasSuffix("Opaque") })
        let marked = Captured {
            $0.registerMembers(of: Stubborn(), named: "store", transient: ["token", "held"])
        }
        #expect(marked.registry.obstacles == [])
    }

    @Test func `a transient member is not captured`() throws {
        var machine = captured(Store(), transient: ["filter.text", "numbers"])
        let keys = try machine.capture().keys
        #expect(!keys.contains("store.0.filter.text") && !keys.contains("store.0.numbers"))
        #expect(keys.contains("store.0.filter.range.lower"))
    }

    @Test func `the members of a copy are captured and restored`() throws {
        struct Settings {
            @Held var name = "a"
            let number: Int
        }
        func wire(_ registry: StateRegistry) -> Settings {
            registry.registerMembers(ofCopy: Settings(number: 1), named: "settings")
        }
        var settings: Settings?
        var machine = Captured { settings = wire($0) }
        #expect(try machine.capture() == ["settings.0.name": "\"a\"", "settings.0.number": "1"])
        settings?.name = "b"
        #expect(try machine.capture() == ["settings.0.name": "\"b\""])
        _ = Captured(restoring: ["settings.0.name": "\"c\"", "settings.0.number": "5"]) { settings = wire($0) }
        #expect(settings?.name == "c" && settings?.number == 5)
    }

    @Test func `a value without captured members needs no part`() throws {
        struct Wiring {
            let action: () -> Void
        }
        var machine = Captured {
            $0.registerMembers(ofCopy: Wiring {}, named: "wiring")
            $0.registerMembers(ofCopy: 1, named: "wiring")
        }
        #expect(machine.registry.memberTypes.count == 1)
        #expect(try machine.capture() == ["wiring.1.value": "1"])
    }

    @Test func `the members of a value are captured through an access`() throws {
        var filter = Filter()
        func wire(_ registry: StateRegistry) {
            registry.registerMembers(of: Filter.self, named: "state") { body in try body(&filter) }
        }
        var machine = Captured(wire)
        #expect(try machine.capture().count == 2)
        filter.text = "none"
        #expect(try machine.capture() == ["state.0.text": "\"none\""])
        filter = Filter()
        let restored = Captured(restoring: machine.parts, wire)
        _ = restored.registry.resume()
        #expect(filter.text == "none")
    }

    @Test func `a stored state of another type is a mismatch, and a state without a member is left over`() throws {
        let twin = Store()
        let restored = Captured(restoring: ["store.0.numbers": "\"x\"", "store.0.mode": "\"grid\"", "old.0": "[1]"]) {
            $0.registerMembers(of: twin, named: "store")
        }
        #expect(restored.registry.mismatches == ["store.0.numbers"])
        #expect(restored.registry.resume() == ["old.0"])
        #expect(twin.numbers == [1, 2] && twin.mode == .grid)
    }

    @Test(arguments: [
        Double.nan, .infinity, -.infinity, Double(nan: 5, signaling: false), -0.0, .greatestFiniteMagnitude,
    ])
    func `a number that JSON cannot represent is captured with all of its bits`(number: Double) throws {
        let store = Store()
        store.ratio = number
        var machine = captured(store)
        _ = try machine.capture()
        let twin = Store()
        let restored = Captured(restoring: machine.parts) { $0.registerMembers(of: twin, named: "store") }
        _ = restored.registry.resume()
        #expect(twin.ratio.bitPattern == number.bitPattern)
    }

    @Test func `two objects with one name have their own keys`() throws {
        var machine = Captured { registry in
            registry.registerMembers(of: Base(constant: 1), named: "part")
            registry.registerMembers(of: Base(constant: 2), named: "part")
        }
        let changes = try machine.capture()
        #expect(changes["part.0.constant"] == "1" && changes["part.1.constant"] == "2")
    }
}

import CombineCore
import Foundation
import StateCapture
import Testing

/// A value that cannot be captured.
private final class Opaque {}

/// An object that belongs to no store.
private final class Local: ObservableObject {
    @Published var number = 1
    @Published var text = "a"
}

private final class Store {
    @Published var number = 1
    let subject = CurrentValueSubject<Int, Never>(2)
    let signal = PassthroughSubject<Void, Never>()
}

/// The store in another build.
private final class LargerStore {
    @Published var number = 1
    @Published var other = 2
    let subject = CurrentValueSubject<Int, Never>(2)
    let another = CurrentValueSubject<Int, Never>(3)
    let signal = PassthroughSubject<Void, Never>()
}

/// An object that is stored as a whole.
private final class Settings: ObservableObject, Codable {
    @Published var theme = "light"

    init() {}

    init(from decoder: any Decoder) throws {
        theme = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(theme)
    }
}

/// Subjects and published properties that the wiring of a machine creates.
@Suite struct SubjectCaptureTests {
    private func capture(_ registry: StateRegistry) throws -> [String: ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        return Dictionary(StateChanges(bytes[...]).map { ($0.key, $0.json) }) { $1 }
    }

    /// Returns the names of parts, without types and numbers.
    private func names(_ parts: [String: ArraySlice<UInt8>]) -> [String] {
        parts.keys.map { String($0.prefix { $0 != "~" && $0 != "." && $0 != "@" }) }.sorted()
    }

    @Test func `a subject and a property without a store are in place when the wiring reads them`() throws {
        func wire() -> (subject: CurrentValueSubject<Int, Never>, local: Local, read: [Int]) {
            let (subject, local) = (CurrentValueSubject<Int, Never>(1), Local())
            return (subject, local, [subject.value, local.number])
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = registry.wire(wire)
        #expect(try names(capture(registry)) == ["currentValueSubject", "publishedProperty", "publishedProperty"])
        first.subject.value = 7
        first.local.number = 8
        var parts = try capture(registry)
        #expect(parts.count == 2)
        first.local.text = "b"
        parts.merge(try capture(registry)) { $1 }
        let restored = StateRegistry(restoring: parts, clockOffset: 0)
        let second = restored.wire(wire)
        #expect(second.read == [7, 8])
        #expect(restored.resume() == [] && restored.obstacles == [])
        #expect(second.subject.value == 7 && second.local.number == 8 && second.local.text == "b")
        #expect(try capture(restored).isEmpty)
        withExtendedLifetime(first) {}
    }

    @Test func `the end of a subject without a value survives`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let first = registry.wire { PassthroughSubject<Int, Never>() }
        first.send(completion: .finished)
        let restored = StateRegistry(restoring: try capture(registry), clockOffset: 0)
        let second = restored.wire { PassthroughSubject<Int, Never>() }
        #expect(restored.resume() == [])
        var events: [String] = []
        let token = second.sink {
            events.append("\($0)")
        } receiveValue: {
            events.append("\($0)")
        }
        second.send(1)
        #expect(events == ["finished"])
        withExtendedLifetime((first, token)) {}
    }

    @Test func `a subject that nothing uses any more has ended`() throws {
        let registry = StateRegistry(clockOffset: 0)
        registry.wire { _ = (CurrentValueSubject<Int, Never>(1), Local()) }
        let parts = try capture(registry)
        #expect(parts.count == 3 && parts.values.allSatisfy { $0.elementsEqual("null".utf8) })
    }

    @Test func `members of a store are captured as its members only`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let store = registry.wire {
            let store = Store()
            registry.registerMembers(of: store, named: "store")
            return store
        }
        #expect(try capture(registry).keys.sorted() == ["store.0.number", "store.0.signal", "store.0.subject"])
        withExtendedLifetime(store) {}
    }

    @Test func `new members of a store do not change what the machine creates for itself`() throws {
        func wire<Made: AnyObject>(_ registry: StateRegistry, _ make: () -> Made) -> (Made, Local) {
            registry.wire {
                let store = make()
                registry.registerMembers(of: store, named: "store")
                return (store, Local())
            }
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = wire(registry) { Store() }
        first.1.number = 8
        let restored = StateRegistry(restoring: try capture(registry), clockOffset: 0)
        let second = wire(restored) { LargerStore() }
        #expect(restored.resume() == [])
        #expect(second.1.number == 8 && second.0.other == 2 && second.0.another.value == 3)
        withExtendedLifetime(first) {}
    }

    @Test func `an object that is stored as a whole is captured once`() throws {
        final class Model {
            var settings = Settings()
        }
        func wire(_ registry: StateRegistry) -> (model: Model, local: Local) {
            registry.wire {
                let model = Model()
                registry.registerMembers(of: model, named: "model")
                return (model, Local())
            }
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = wire(registry)
        first.model.settings.theme = "dark"
        first.local.text = "b"
        let parts = try capture(registry)
        #expect(names(parts) == ["model", "publishedProperty", "publishedProperty"])
        let restored = StateRegistry(restoring: parts, clockOffset: 0)
        let second = wire(restored)
        #expect(restored.resume() == [])
        #expect(second.model.settings.theme == "dark" && second.local.text == "b")
        #expect(try capture(restored).isEmpty)
        withExtendedLifetime(first) {}
    }

    @Test func `a value that cannot be captured is an obstacle, unless its name is transient`() {
        func obstacles(transient: Set<String>) -> StateRegistry {
            let registry = StateRegistry(clockOffset: 0)
            registry.transient = transient
            registry.wire {
                _ = CurrentValueSubject<Opaque, Never>(Opaque())
                _ = Published(initialValue: Opaque())
                _ = PassthroughSubject<Opaque, Never>()
            }
            return registry
        }
        let found = obstacles(transient: []).obstacles
        #expect(found.map(\.part) == ["currentValueSubject", "publishedProperty"])
        #expect(found.allSatisfy { $0.type.hasSuffix("Opaque") })
        let names: Set = ["currentValueSubject", "publishedProperty"]
        let registry = obstacles(transient: names)
        #expect(registry.obstacles == [] && registry.foundTransient == names)
    }

    @Test func `what a member holds is no obstacle besides the member, and none if the member is transient`() {
        final class Child {
            @Published var value = Opaque()
            let subject = CurrentValueSubject<Opaque, Never>(Opaque())
        }
        struct Group {
            let child = Child()
            let subject = CurrentValueSubject<Opaque, Never>(Opaque())
        }
        final class Parent {
            let child = Child()
            let group = Group()
            @Published var token = Opaque()
        }
        func obstacles(transient: Set<String>) -> [String] {
            let registry = StateRegistry(clockOffset: 0)
            registry.transient = transient
            registry.wire { registry.registerMembers(of: Parent(), named: "parent") }
            return registry.obstacles.map(\.part)
        }
        #expect(
            obstacles(transient: []) == [
                "Parent.child", "Parent.group.child", "Parent.group.subject", "Parent.token",
            ])
        #expect(obstacles(transient: ["child", "group", "token"]) == [])
    }

    @Test func `a subject inside an operator is no part of its own`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let upstream = PassthroughSubject<Int, Never>()
        let shared = registry.wire { () -> [Any] in
            let (share, connectable) = (upstream.share(), upstream.makeConnectable())
            let multicast = upstream.multicast(subject: CurrentValueSubject(1))
            let made = upstream.multicast { CurrentValueSubject<Int, Never>(1) }
            let timer = Timer.publish(every: 1, on: .main, in: .common)
            return [
                share, upstream.share(), connectable, connectable.sink { _ in }, multicast, multicast.sink { _ in },
                made, made.sink { _ in }, timer, share.sink { _ in },
            ]
        }
        let found = try names(capture(registry))
        #expect(found.count { $0 == "multicast" } == 4)
        #expect(!found.contains("currentValueSubject") && !found.contains("passthroughSubject"))
        withExtendedLifetime(shared) {}
    }

    @Test func `nothing is registered outside of a wiring`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let local = registry.wire { StateRegistry.withoutRegistry { (Local(), CurrentValueSubject<Int, Never>(1)) } }
        #expect(try capture(registry).isEmpty)
        withExtendedLifetime(local) {}
    }
}

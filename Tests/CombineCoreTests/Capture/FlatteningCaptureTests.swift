import CombineCore
import CombineTesting
import Dispatch
import Locking
import StateCapture
import Testing

private final class Opaque {}

/// What a capture of `flatMap` and `switchToLatest` does besides keeping their publishers.
@Suite struct FlatteningCaptureTests {
    private func restored(_ world: TwinWorld, _ wire: @escaping (TwinWorld) -> Void) -> TwinWorld {
        TwinWorld(world.snapshot, clock: .seconds(3), wire: wire)
    }

    @Test func `an operator whose values cannot be captured is named, with what to do about publishers`() {
        func obstacles(_ wire: (TwinWorld) -> Void) -> [CaptureObstacle] { TwinWorld(wire: wire).registry.obstacles }
        let values = obstacles { world in
            let opaque = world.a.map { _ in Opaque() }.receive(on: DispatchQueue.main)
            world.log(opaque.flatMap { _ in Just(1) })
        }
        #expect(values.map(\.part) == ["flatMap", "receiveOn"])
        #expect(values.first?.type.hasSuffix("Opaque") == true && values.first?.advice == nil)
        let publishers = obstacles { world in
            world.log(PassthroughSubject<AnyPublisher<Int, Never>, Never>().switchToLatest())
            world.log(world.a.map { Just($0).eraseToAnyPublisher() }.filter { _ in true }.flatMap { $0 })
        }
        #expect(publishers.map(\.part) == ["switchToLatest", "flatMap"])
        #expect(publishers.allSatisfy { $0.description.hasSuffix("directly after a map of values that are Codable") })
        #expect(obstacles { $0.log($0.a.map { _ in Opaque() }.flatMap { _ in Just(1) }) } == [])
    }

    @Test func `an operator that is transient loses its publishers`() {
        let registry = StateRegistry(clockOffset: 0)
        registry.transient = ["flatMap"]
        let subject = PassthroughSubject<Opaque, Never>()
        let token = registry.wire { subject.flatMap { _ in Just(1) }.sink { _ in } }
        #expect(registry.obstacles == [] && registry.foundTransient == ["flatMap"])
        withExtendedLifetime(token) {}
    }

    @Test func `the closure runs again for each publisher that is subscribed, and only for those`() {
        var calls: [Int] = []
        let wire: (TwinWorld) -> Void = { world in
            world.log(
                world.a.flatMap { a in
                    calls.append(a)
                    return a == 0 ? Just(0).eraseToAnyPublisher() : world.b.prefix(1).eraseToAnyPublisher()
                })
        }
        let world = TwinWorld(wire: wire)
        for a in [1, 0, 2] { world.turn { world.a.send(a) } }
        calls = []
        let second = restored(world, wire)
        #expect(calls == [1, 2])
        second.turn { second.b.send(5) }
        #expect(second.log.map { $0.suffix(4) } == ["0: 5", "0: 5"])
        calls = []
        _ = restored(second, wire)
        #expect(calls == [])
    }

    @Test func `the number of keys depends on the number of publishers at a time`() {
        let world = TwinWorld { $0.log($0.a.flatMap { Just($0).scan(0, +) }) }
        world.turn { world.a.send(1) }
        let count = world.snapshot.parts.count
        for a in 0..<100 { world.turn { world.a.send(a) } }
        #expect(world.snapshot.parts.count == count)
        let switching = TwinWorld { world in world.log(world.a.map { _ in world.b.scan(0, +) }.switchToLatest()) }
        for a in 0..<3 { switching.turn { switching.a.send(a) } }
        let former = switching.snapshot.parts.count
        for a in 0..<100 { switching.turn { switching.a.send(a) } }
        #expect(switching.snapshot.parts.count == former)
    }

    @Test func `a publisher that subscribes to itself has keys of limited length`() {
        let wire: (TwinWorld) -> Void = { world in
            func pages(_ number: Int) -> AnyPublisher<Int, Never> {
                world.b.first().flatMap { Just($0 + number).append(pages(number + 1)) }.eraseToAnyPublisher()
            }
            world.log(pages(0))
        }
        let world = TwinWorld(wire: wire)
        for _ in 0..<200 { world.turn { world.b.send(1) } }
        #expect(world.log.count == 200)
        #expect(world.snapshot.parts.keys.allSatisfy { $0.utf8.count < 1_000 })
    }

    @Test func `a future without a result is not started again, finishes and is reported`() {
        var calls = 0
        let wire: (TwinWorld) -> Void = { world in
            world.log(
                world.a.flatMap(maxPublishers: .max(1)) { a in
                    Deferred {
                        Future<Int, Never> { promise in
                            calls += 1
                            if a > 1 { promise(.success(a)) }
                        }
                    }
                })
        }
        let world = TwinWorld(wire: wire)
        world.turn { world.a.send(1) }
        #expect(calls == 1)
        let second = restored(world, wire)
        #expect(calls == 1)
        #expect(second.registry.interruptedWork.map(\.name) == ["Future"])
        // The next publisher has its turn.
        second.turn { second.a.send(2) }
        #expect(calls == 2 && second.log.count == 1)
        #expect(restored(second, wire).registry.interruptedWork == [])
    }

    @Test func `what is sent outside of the loop is captured without the parts of its publisher`() {
        let isOnLoop = Lock(true)
        let registry = StateRegistry(clockOffset: 0) { isOnLoop.withLock { $0 } }
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var token: AnyCancellable?
        registry.wire { token = a.flatMap { b.scan($0, +) }.sink { _ in } }
        let subject = UncheckedBox(a)
        isOnLoop.withLock { $0 = false }
        onAnotherThread { subject.value.send(3) }
        isOnLoop.withLock { $0 = true }
        var bytes: [UInt8] = []
        _ = try? registry.appendChanges(to: &bytes)
        let parts = Dictionary(StateChanges(bytes[...]).map { ($0.key, String(decoding: $0.json, as: UTF8.self)) }) {
            $1
        }
        #expect(parts.first { $0.key.hasPrefix("flatMap") && !$0.key.contains("/") }?.value.contains("3") == true)
        #expect(!parts.keys.contains { $0.contains("scan") })
        withExtendedLifetime(token) {}
    }
}

/// A subject that a test passes to another thread, which has exclusive use of it meanwhile.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

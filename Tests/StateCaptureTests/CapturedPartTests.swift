import Testing

@testable import StateCapture

/// A part that names the property with its state, or nothing.
private final class Numbered: StatefulPart {
    struct PartState: Codable, FieldwiseState {
        var value: Int32
        var other: Int32
    }

    static var partName: StaticString { "numbered" }
    var value: Int32
    private let isWatched: Bool
    private(set) var stateCount = 0
    private(set) var restored: [Int32] = []

    init(_ value: Int32, isWatched: Bool) { (self.value, self.isWatched) = (value, isWatched) }

    var partState: PartState? {
        stateCount += 1
        return PartState(value: value, other: 1)
    }

    func restore(_ state: PartState?) {
        guard let state else { return }
        value = state.value
        restored.append(state.value)
    }

    func watch(_ places: inout WatchedPlaces) {
        if isWatched { places.add(&value, of: self) }
    }
}

/// A part with a number as its only field.
private final class Place: StatefulPart {
    struct PartState: Codable, FieldwiseState {
        var value: Int32
    }

    static var partName: StaticString { "place" }
    var value: Int32 = 3
    private(set) var stateCount = 0

    var partState: PartState? {
        stateCount += 1
        return PartState(value: value)
    }

    func restore(_ state: PartState?) {}

    func watch(_ places: inout WatchedPlaces) { places.add(&value, named: "value", of: self) }

    func readState(_ read: () -> Void) -> Bool? {
        read()
        return true
    }
}

/// Returns the size of the instances of an object's class, without what the allocator adds.
private func instanceSize(of object: AnyObject) -> Int {
    // The metadata of a class: the kind, the superclass, the flags and the address point of its instances, and their size.
    Int(unsafeBitCast(type(of: object), to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self))
}

@Suite struct CapturedPartTests {
    @Test func `a part with a small state fits into a block of 64 bytes`() throws {
        for isWatched in [true, false] {
            let part = Numbered(1, isWatched: isWatched)
            let machine = Captured { $0.register(part) }
            #expect(instanceSize(of: try #require(machine.registry.parts.first)) <= 56)
        }
        #expect(MemoryLayout<StateWatch>.size <= 15)
    }

    @Test func `a part with a large state adds no more than the state`() throws {
        let machine = Captured { $0.register(Counter<[Int]>([1])) }
        #expect(instanceSize(of: try #require(machine.registry.parts.first)) <= 72)
    }

    @Test func `a member takes 32 bytes besides its copy`() { #expect(MembersPart.bytesPerMember <= 32) }

    @Test(arguments: [true, false]) func `a small state is captured when it has changed`(isWatched: Bool) throws {
        let part = Numbered(1, isWatched: isWatched)
        var machine = Captured { $0.register(part) }
        #expect(try machine.capture() == ["numbered.0": "[{\"value\":1,\"other\":1}]"])
        for value: Int32 in [2, -2, 1] {
            part.value = value
            #expect(try machine.capture() == ["numbered.0": "[{\"value\":\(value),\"other\":1}]"])
            let count = part.stateCount
            #expect(try machine.capture() == [:])
            #expect((part.stateCount == count) == isWatched)
            #expect(Array(try machine.all().values) == ["[{\"value\":\(value),\"other\":1}]"])
        }
    }

    @Test(arguments: [true, false]) func `a small state is put back again after the wiring`(isWatched: Bool) throws {
        let original = Numbered(7, isWatched: isWatched)
        var first = Captured { $0.register(original) }
        // A part that nothing uses any more has ended.
        _ = try withExtendedLifetime(original) { try first.store() }
        let part = Numbered(1, isWatched: isWatched)
        var machine = Captured(restoring: first.parts) { registry in
            registry.register(part)
            part.value = 2
        }
        _ = machine.registry.resume()
        #expect(part.restored == [7, 7] && part.value == 7)
        #expect(try machine.capture() == [:])
        part.value = 8
        #expect(try machine.capture() == ["numbered.0": "[{\"value\":8,\"other\":1}]"])
    }

    @Test func `a number with a sign is captured from its property`() throws {
        let part = Place()
        var machine = Captured { $0.register(part) }
        #expect(try machine.capture() == ["place.0": "[{\"value\":3}]"])
        part.value = -2
        #expect(try machine.capture() == ["place.0": "[{\"value\":-2}]"])
        #expect(part.stateCount == 0)
        #expect(try machine.capture() == [:])
    }
}

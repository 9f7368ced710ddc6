import Testing

@testable import StateCapture

@Suite struct SessionRandomTests {
    private func registry(_ seed: UInt64) -> StateRegistry {
        let registry = StateRegistry(clockOffset: 0)
        registry.seed = seed
        return registry
    }

    @Test func `a series depends on the seed only`() {
        let (first, second, other) = (registry(7).random, registry(7).random, registry(8).random)
        let numbers = (0..<4).map { _ in first.next() }
        #expect((0..<4).map { _ in second.next() } == numbers)
        #expect((0..<4).map { _ in other.next() } != numbers)
        #expect(Set(numbers).count == 4)
    }

    @Test func `a restored series continues, whatever the wiring draws`() throws {
        let reference = registry(7).random
        let numbers = (0..<5).map { _ in reference.next() }
        let registry = registry(7)
        registry.wire { _ = registry.random.next() }
        _ = registry.random.next()
        var bytes: [UInt8] = []
        #expect(try registry.appendChanges(to: &bytes) == 1)
        let stored = Dictionary(uniqueKeysWithValues: StateChanges(bytes[...]).map { ($0.key, $0.json) })

        let restored = StateRegistry(restoring: stored, clockOffset: 0)
        restored.wire { #expect(restored.random.next() == numbers[2]) }
        #expect(restored.resume() == [])
        #expect((0..<3).map { _ in restored.random.next() } == Array(numbers[2...]))
    }
}

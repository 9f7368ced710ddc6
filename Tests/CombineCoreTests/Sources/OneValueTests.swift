import CombineCore
import Testing

@Suite struct OneValueTests {
    @Test func `an optional's publisher delivers the value, or only finishes if there is none`() {
        #expect(Optional(3).publisher.events() == ["3", "finished"])
        #expect(Optional<Int>.none.publisher.events(.none) == ["finished"])
        #expect(Optional(3).publisher.record(.none).log == ["subscription Optional"])
    }

    @Test func `a result's publisher delivers its value on request, but its failure immediately`() {
        #expect(Result<Int, Mishap>.success(3).publisher.events(.none) == [])
        #expect(Result<Int, Mishap>.success(3).publisher.record().log == ["subscription Once", "3", "finished"])
        #expect(Result<Int, Mishap>.failure(.first).publisher.events(.none) == ["failure first"])
    }

    @Test func `operators on a single value are applied when the chain is built`() {
        #expect(Just(3).filter { $0 > 3 } == Optional.Publisher(nil))
        #expect(Just(3).map { $0 * 2 } == Just(6))
        #expect(Just(3).append(4).prepend(1, 2) == Publishers.Sequence(sequence: [1, 2, 3, 4]))
        #expect(Optional(3).publisher.dropFirst() == Optional.Publisher(nil))
        #expect(Optional<Int>.none.publisher.collect() == Optional.Publisher([]))
        #expect(Optional<Int>.none.publisher.count() == Optional.Publisher(nil))
        #expect(Optional(3).publisher.output(in: 1...) == Optional.Publisher(nil))
        #expect(Result<Int, Mishap>.Publisher(3).reduce(1, +) == Result.Publisher(4))
        #expect(Result<Int, Mishap>.Publisher(.first).replaceError(with: 5) == Result.Publisher(5))
        #expect(throws: Mishap.second) {
            try Just(1).tryMap { _ in throw Mishap.second }.result.get()
        }
    }

    @Test func `a range of positions of a Just counts by its lower bound`() {
        #expect(Just(3).output(in: 0..<10) == Optional.Publisher(3))
        #expect(Just(3).output(in: 1..<10) == Optional.Publisher(nil))
        // Combine does not look at the upper bound.
        #expect(Just(3).output(in: 0..<0) == Optional.Publisher(3))
        #expect(Just(3).output(in: -1..<2) == Optional.Publisher(nil))
        #expect(Just(3).output(in: (-1)...) == Optional.Publisher(nil))
        #expect(Optional(3).publisher.output(in: 0..<0) == Optional.Publisher(nil))
    }

    @Test func `an index outside of a sequence has no element, also a negative one`() {
        #expect([3, 1].publisher.output(at: -1) == Optional.Publisher(nil))
        #expect([3, 1].publisher.output(at: 2) == Optional.Publisher(nil))
    }

    @Test func `a negative position of any other publisher is a programming error`() async {
        await #expect(processExitsWith: .failure) { _ = Just(3).output(at: -1) }
        await #expect(processExitsWith: .failure) { _ = Just(3).prefix(-1) }
        await #expect(processExitsWith: .failure) { _ = Optional(3).publisher.output(in: -1..<2) }
        await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: -1) }
        await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(in: -1..<2) }
        await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().prefix(-1) }
    }

    @Test func `operators on a sequence are applied when the chain is built`() {
        let sequence = [3, 1, 1, 2].publisher
        #expect(sequence.removeDuplicates() == Publishers.Sequence(sequence: [3, 1, 2]))
        #expect(sequence.max() == Optional.Publisher(3))
        #expect(sequence.scan(0, +) == Publishers.Sequence(sequence: [3, 4, 5, 7]))
        #expect(sequence.output(at: 3) == Optional.Publisher(2))
        #expect(sequence.output(at: 4) == Optional.Publisher(nil))
        #expect(sequence.output(in: 1..<3) == Publishers.Sequence(sequence: [1, 1]))
        #expect(sequence.count() == Just(4))
        #expect(sequence.append(9).prepend([0]) == Publishers.Sequence(sequence: [0, 3, 1, 1, 2, 9]))
        #expect([1, nil].publisher.replaceNil(with: 0).events() == ["Optional(1)", "Optional(0)", "finished"])
    }
}

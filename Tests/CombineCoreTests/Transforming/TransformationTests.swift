import CombineCore
import Testing

@Suite struct TransformationTests {
    private let numbers = [1, 2, 2, 3, 1].publisher.eraseToAnyPublisher()

    private func failing<T>(_ value: T) -> (Int) throws -> T {
        { if $0 == 3 { throw Mishap.first } else { return value } }
    }

    @Test func `throwing operators work like the others until a closure throws`() {
        #expect(numbers.tryFilter { $0 != 2 }.events() == ["1", "3", "1", "finished"])
        #expect(numbers.tryFilter(failing(true)).events() == ["1", "2", "2", "failure first"])
        #expect(numbers.tryCompactMap { $0 == 2 ? nil : $0 * 2 }.events() == ["2", "6", "2", "finished"])
        #expect(numbers.tryCompactMap(failing("x")).events() == ["x", "x", "x", "failure first"])
        #expect(numbers.tryScan(0, +).events() == ["1", "3", "5", "8", "9", "finished"])
        #expect(numbers.tryScan(0) { _, _ in throw Mishap.second }.events() == ["failure second"])
        #expect(numbers.tryRemoveDuplicates(by: ==).events() == ["1", "2", "3", "1", "finished"])
        #expect(numbers.tryRemoveDuplicates { _, _ in throw Mishap.second }.events() == ["1", "failure second"])
    }

    @Test func `prefix(while:) ends with the first mismatch, and drop(while:) starts there`() {
        #expect(numbers.prefix { $0 < 3 }.events() == ["1", "2", "2", "finished"])
        #expect(numbers.tryPrefix(while: failing(true)).events() == ["1", "2", "2", "failure first"])
        #expect(numbers.drop { $0 < 3 }.events() == ["3", "1", "finished"])
        #expect(numbers.tryDrop(while: failing(true)).events() == ["failure first"])
        #expect(numbers.tryDrop { $0 < 2 }.events() == ["2", "2", "3", "1", "finished"])
    }

    @Test func `operators that drop a value request another one`() {
        #expect(numbers.tryFilter { $0 != 2 }.events(.max(2)) == ["1", "3"])
        #expect(numbers.tryRemoveDuplicates(by: ==).events(.max(3)) == ["1", "2", "3"])
        #expect(numbers.drop { $0 < 3 }.events(.max(1)) == ["3"])
    }

    @Test func `an operator that ends early cancels upstream`() {
        var isCancelled = false
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.handleEvents(receiveCancel: { isCancelled = true }).prefix { $0 < 2 }.record()
        subject.send(1)
        subject.send(2)
        #expect(isCancelled)
        #expect(recorder.log == ["subscription PrefixWhile", "1", "finished"])
    }

    @Test func `nothing is delivered after the closure has cancelled the stream`() {
        let subject = PassthroughSubject<Int, Never>()
        var recorder: SurfaceRecorder<Int, any Error>?
        recorder = subject.tryFilter { _ in
            recorder?.cancel()
            return true
        }.record()
        subject.send(1)
        #expect(recorder?.log == ["subscription TryFilter"])
    }

    @Test func `consecutive operators of the same kind are fused`() {
        let upstream = Counter()
        let numbers = upstream.map { $0 + 1 }.tryMap { $0 * 2 }
        let fused = numbers.map { String($0) }.tryMap { $0 + "!" }
        #expect(fused.upstream === upstream)
        #expect(fused.events() == ["4!", "finished"])
        #expect(upstream.tryFilter { _ in true }.filter { $0 > 1 }.tryFilter { _ in true }.upstream === upstream)
        #expect(upstream.filter { _ in true }.tryFilter { _ in true }.upstream === upstream)
        #expect(upstream.tryCompactMap { $0 }.compactMap { $0 }.upstream === upstream)
    }

    final class Counter: Publisher {
        typealias Output = Int
        typealias Failure = Never

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            Just(1).receive(subscriber: subscriber)
        }
    }

    @Test func `replaceNil replaces nil values, and output selects positions`() {
        let values = [1, nil, 3].publisher.eraseToAnyPublisher()
        #expect(values.replaceNil(with: 0).events() == ["1", "0", "3", "finished"])
        #expect(numbers.output(at: 3).events() == ["3", "finished"])
        #expect(numbers.output(in: 1...2).events() == ["2", "2", "finished"])
        #expect(numbers.output(in: 3...).events() == ["3", "1", "finished"])
    }
}

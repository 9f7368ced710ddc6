import CombineCore
import Testing

@testable import Ricemill

/// Erased publishers deliver the same values as the originals, whatever their type.
struct SpecializedErasureTests {
    private func received<S: Subject>(_ subject: S, sending values: S.Output...) -> [S.Output]
    where S.Failure == Never {
        var received: [S.Output] = []
        let token = SpecializedErasure.erase(subject).sink { received.append($0) }
        for value in values { subject.send(value) }
        token.cancel()
        if let last = values.last { subject.send(last) }
        return received
    }

    @Test func `subjects of every type deliver their values until they are cancelled`() {
        #expect(received(PassthroughSubject<Void, Never>(), sending: (), ()).count == 2)
        #expect(received(PassthroughSubject<Bool, Never>(), sending: true, false) == [true, false])
        #expect(received(PassthroughSubject<Int, Never>(), sending: 1, 2) == [1, 2])
        #expect(received(PassthroughSubject<String, Never>(), sending: "a") == ["a"])
        #expect(received(PassthroughSubject<UInt8, Never>(), sending: 7) == [7])
        #expect(received(CurrentValueSubject<Int, Never>(0), sending: 1) == [0, 1])
    }

    private final class Properties {
        @Published var flag = false
        @Published var number = 0
        @Published var text = ""
        @Published var list: [Int] = []
    }

    @Test func `properties of every type deliver their values`() {
        let properties = Properties()
        var flags: [Bool] = []
        var numbers: [Int] = []
        var texts: [String] = []
        var lists: [[Int]] = []
        let tokens = [
            SpecializedErasure.erase(properties.$flag).sink { flags.append($0) },
            SpecializedErasure.erase(properties.$number).sink { numbers.append($0) },
            SpecializedErasure.erase(properties.$text).sink { texts.append($0) },
            SpecializedErasure.erase(properties.$list).sink { lists.append($0) },
        ]
        (properties.flag, properties.number, properties.text, properties.list) = (true, 1, "a", [1])
        #expect(flags == [false, true])
        #expect(numbers == [0, 1])
        #expect(texts == ["", "a"])
        #expect(lists == [[], [1]])
        tokens.forEach { $0.cancel() }
    }

    struct Failure: Error {}

    @Test func `completions and failures are delivered`() {
        let fallible = PassthroughSubject<Int, Failure>()
        let infallible = PassthroughSubject<Int, Never>()
        var ends: [String] = []
        let tokens = [
            SpecializedErasure.erase(fallible).sink {
                ends.append("\($0)")
            } receiveValue: { _ in
            },
            SpecializedErasure.erase(infallible).sink {
                ends.append("\($0)")
            } receiveValue: { _ in
            },
        ]
        fallible.send(completion: .failure(Failure()))
        infallible.send(completion: .finished)
        #expect(ends.count == 2)
        #expect(ends.first?.contains("Failure") == true)
        #expect(ends.last == "finished")
        tokens.forEach { $0.cancel() }
    }
}

import CombineCore
import Testing

@Suite struct SmokeTests {
    final class Model: ObservableObject {
        @Published var count = 0
        @Published var name = ""
    }

    @Test func `a chain of operators delivers until it is cancelled`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [String] = []
        let token = subject.map { $0 * 2 }.filter { $0 > 2 }.removeDuplicates().eraseToAnyPublisher()
            .map(String.init).sink { got.append($0) }
        for value in [1, 2, 2, 3] { subject.send(value) }
        token.cancel()
        subject.send(9)
        #expect(got == ["4", "6"])
    }

    @Test func `a published property publishes before it changes`() {
        let model = Model()
        var log: [String] = []
        var set = Set<AnyCancellable>()
        model.objectWillChange.sink { log.append("will \(model.count)") }.store(in: &set)
        model.$count.sink { new in
            log.append("new \(new) old \(model.count)")
            model.$count.receiveValues { log.append("inner \($0)") }
        }.store(in: &set)
        model.count = 1
        #expect(log == ["new 0 old 0", "inner 0", "will 0", "new 1 old 0", "inner 1"])
        model.name = "x"
        #expect(log.last == "will 1")
    }

    @Test func `operators that combine publishers can be used together`() {
        let a = CurrentValueSubject<Int, Never>(1)
        let b = PassthroughSubject<String, Never>()
        var got: [String] = []
        var set = Set<AnyCancellable>()
        a.combineLatest(b).sink { got.append("\($0)\($1)") }.store(in: &set)
        a.zip(b).sink { got.append("z\($0)\($1)") }.store(in: &set)
        a.map(String.init).merge(with: b).sink { got.append("m" + $0) }.store(in: &set)
        b.flatMap { Just($0 + "!") }.sink { got.append($0) }.store(in: &set)
        b.map { Just($0 + "?") }.switchToLatest().sink { got.append($0) }.store(in: &set)
        let shared = b.share()
        shared.sink { got.append("s1" + $0) }.store(in: &set)
        shared.receive(on: ImmediateScheduler.shared).sink { got.append("s2" + $0) }.store(in: &set)
        b.send("x")
        #expect(got == ["m1", "1x", "z1x", "mx", "x!", "x?", "s1x", "s2x"])
    }

    @Test func `a sequence delivers the values after the dropped ones`() {
        var got: [Int] = []
        _ = (1...5).publisher.dropFirst(2).sink { got.append($0) }
        #expect(got == [3, 4, 5])
    }
}

extension Publisher where Failure == Never {
    func receiveValues(_ body: @escaping (Output) -> Void) {
        _ = sink(receiveValue: body)
    }
}

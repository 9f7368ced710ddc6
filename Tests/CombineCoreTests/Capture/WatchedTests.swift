import CombineCore
import StateCapture
import Testing

@Suite struct WatchedTests {
    /// A store with the holders of states.
    private final class Store {
        @Published var count = 0
        var name = CurrentValueSubject<String, Never>("a")
        var signal = PassthroughSubject<Int, Never>()
        let object = Target()
    }

    private final class Target: Codable {
        var value = 0
    }

    /// The keys of the parts whose states are read only after a change, without types and numbers.
    private func watchedNames(_ registry: StateRegistry) -> Set<String> {
        Set(registry.watchedKeys.map { String($0.prefix { $0 != "~" && $0 != "." }) })
    }

    @Test func `the most frequent operators name the properties on which their states depend`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let store = Store()
        var tokens: [AnyCancellable] = []
        registry.wire {
            let merged = store.signal.merge(with: store.$count)
            merged.combineLatest(store.name).sink { _ in }.store(in: &tokens)
            merged.zip(store.name).sink { _ in }.store(in: &tokens)
            merged.scan(0, +).removeDuplicates().assign(to: \.value, on: store.object).store(in: &tokens)
            merged.map { $0 + 1 }.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &tokens)
        }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        let names = watchedNames(registry)
        for name in ["combineLatest", "zip", "merge", "scan", "removeDuplicates", "assign", "sink"] {
            #expect(names.contains(name), "\(name) is read after each turn; watched are \(names.sorted())")
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `each change of a watched operator is captured`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let (left, right) = (CurrentValueSubject<[Int], Never>([]), PassthroughSubject<Int, Never>())
        var received: [Int] = []
        let token = registry.wire {
            registry.register(holder: left, named: "left")
            return left.combineLatest(right.scan([]) { $0 + [$1] }.removeDuplicates())
                .sink { received.append($0.count + $1.count) }
        }
        for number in 0..<5 {
            right.send(number)
            left.value.append(number)
            var (changes, all): ([UInt8], [UInt8]) = ([], [])
            _ = try registry.appendChanges(to: &changes)
            _ = try registry.appendAll(to: &all)
            let known = Dictionary(StateChanges(changes[...]).map { ($0.key, Array($0.json)) }) { $1 }
            // Everything that holds a list has another one now.
            for (key, json) in StateChanges(all[...]) where String(decoding: json, as: UTF8.self).contains("[0") {
                #expect(known[key] == Array(json), "\(key)")
            }
        }
        #expect(received.count == 10)
        withExtendedLifetime(token) {}
    }

    @Test func `a value that waits in a merge is captured`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let (left, right) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
        let subscriber = Patient()
        registry.wire { left.merge(with: right).receive(subscriber: subscriber) }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        subscriber.subscription?.request(.max(1))
        for number in 2...4 {
            right.send(number)
            left.send(-number)
        }
        bytes = []
        _ = try registry.appendChanges(to: &bytes)
        let merge = StateChanges(bytes[...]).first { $0.key.hasPrefix("merge") }
        #expect(merge != nil)
    }

    /// A subscriber that requests nothing by itself.
    private final class Patient: Subscriber {
        var subscription: (any Subscription)?

        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Int) -> Subscribers.Demand { .none }
        func receive(completion: Subscribers.Completion<Never>) {}
    }
}

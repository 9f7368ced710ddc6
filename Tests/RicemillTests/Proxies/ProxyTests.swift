import CombineCore
import Ricemill
import Testing

/// What each spelling of a member of a proxy is.
struct ProxyTests {
    private let machine = SwitchedCounter(input: .init(), store: .init(), extra: .init())

    @Test func `an untyped output property is its value`() {
        let count = machine.output.count
        #expect(type(of: count) == Int.self)
        #expect("\(machine.output.count)" == "0")
        #expect(machine.output.count >= 0)
    }

    @Test func `an output property is a binding where one is asked for`() {
        let count: Binding<Int> = machine.output.count
        count.wrappedValue = 4
        #expect(machine.output.count == 4)
    }

    @Test func `the projection of an output property is its stream`() {
        let stream = machine.output.$count
        #expect(type(of: stream) == AnyPublisher<Int, Never>.self)
    }

    @Test func `a subject with a value is its value, or its stream where one is asked for`() {
        let value = machine.output.last
        #expect(type(of: value) == String.self)
        let stream: AnyPublisher<String, Never> = machine.output.last
        var seen: [String] = []
        let cancellable = stream.sink { seen.append($0) }
        machine.input.increment.send()
        #expect(seen == ["none", "up while off"])
        cancellable.cancel()
    }

    @Test func `an input subject is a door`() {
        let increment: SubjectProxy<PassthroughSubject<Void, Never>> = machine.input.increment
        increment.send()
        increment.send(())
        #expect(machine.output.count == 2)
        let labelled = LabelledCounter(input: .init(), store: .init(), extra: .init())
        let isOn: SubjectProxy<PassthroughSubject<Bool, Never>> = labelled.input.isOn
        isOn.send(true)
    }

    @Test func `an input property is a binding`() {
        let isOn = machine.input.isOn
        #expect(type(of: isOn) == Binding<Bool>.self)
        #expect(!isOn.wrappedValue)
        isOn.wrappedValue = true
        #expect(machine.output.isIncrementEnabled)
        #expect(machine.input.isOn.wrappedValue)
    }

    @Test func `a stream can be led into an input`() {
        let subject = PassthroughSubject<Void, Never>()
        let cancellable = subject.subscribe(machine.input.increment)
        subject.send()
        subject.send()
        cancellable.cancel()
        subject.send()
        #expect(machine.output.count == 2)
    }

    @Test func `a subscription that is handed to an input is asked for values`() {
        final class Asked: Subscription {
            var demand = Subscribers.Demand.none
            func request(_ demand: Subscribers.Demand) { self.demand += demand }
            func cancel() {}
        }
        let asked = Asked()
        machine.input.increment.send(subscription: asked)
        #expect(asked.demand == .unlimited)
    }
}

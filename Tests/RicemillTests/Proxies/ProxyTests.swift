import CombineCore
import Ricemill
import Testing

/// The type of each spelling of a proxy's member.
struct ProxyTests {
    private let machine = SwitchedCounter(input: .init(), store: .init(), extra: .init())

    @Test func `an output property without a type annotation is its value`() {
        let count = machine.output.count
        #expect(type(of: count) == Int.self)
        #expect("\(machine.output.count)" == "0")
        #expect(machine.output.count >= 0)
    }

    @Test func `an output property is a binding if the context requires one`() {
        let count: Binding<Int> = machine.output.count
        count.wrappedValue = 4
        #expect(machine.output.count == 4)
    }

    @Test func `the projection of an output property is its publisher`() {
        let stream = machine.output.$count
        #expect(type(of: stream) == AnyPublisher<Int, Never>.self)
    }

    @Test func `a subject with a value is its value, or its publisher if the context requires one`() {
        let value = machine.output.last
        #expect(type(of: value) == String.self)
        let stream: AnyPublisher<String, Never> = machine.output.last
        var seen: [String] = []
        let cancellable = stream.sink { seen.append($0) }
        machine.input.increment.send()
        #expect(seen == ["none", "up while off"])
        cancellable.cancel()
    }

    @Test func `an input subject can be sent to`() {
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

    @Test func `a publisher can be subscribed to an input`() {
        let subject = PassthroughSubject<Void, Never>()
        let cancellable = subject.subscribe(machine.input.increment)
        subject.send()
        subject.send()
        cancellable.cancel()
        subject.send()
        #expect(machine.output.count == 2)
    }

    @Test func `an input requests values from a subscription that it receives`() {
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

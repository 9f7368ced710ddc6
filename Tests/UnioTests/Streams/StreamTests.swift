import RxCore
import Testing
import Unio

struct StreamTests {
    private let extra = KitchenStream.Extra()
    private let stream: KitchenStream

    init() {
        stream = KitchenStream(input: .init(), state: .init(), extra: extra)
    }

    @Test func `bind runs once, before the wrappers exist`() {
        #expect(extra.bindings == 1)
    }

    @Test func `elements that bind emits are visible only through behavior relays`() {
        var events: [Int] = []
        let subscription = stream.output.event.subscribe(onNext: { events.append($0) })
        #expect(stream.output.relay.value == "bound")
        #expect(events == [])
        subscription.dispose()
    }

    @Test func `a counter counts`() {
        let counter = CounterViewStream(input: .init(), state: .init(), extra: .init())
        var texts: [String] = []
        let bag = DisposeBag()
        counter.output.text.subscribe(onNext: { texts.append($0) }).disposed(by: bag)
        counter.input.increment(())
        counter.input.increment(())
        #expect(texts == ["0", "1", "2"])
        #expect(counter.output.count.value == 2)
    }

    @Test func `a stream retains its state, its extra and its subscriptions`() {
        weak var kept: KitchenStream.Extra?
        var stream: KitchenStream?
        do {
            let extra = KitchenStream.Extra()
            kept = extra
            stream = KitchenStream(input: .init(), state: .init(), extra: extra)
        }
        #expect(kept != nil)
        stream?.input.relay("still here")
        #expect(stream?.output.relay.value == "still here")
        stream = nil
        #expect(kept == nil)
    }

    @Test func `the output alone does not retain the subscriptions of a deallocated stream`() {
        var counter: CounterViewStream? = CounterViewStream(input: .init(), state: .init(), extra: .init())
        let (input, output) = (counter?.input, counter?.output)
        input?.increment(())
        counter = nil
        input?.increment(())
        #expect(output?.count.value == 1)
    }

    @Test func `a type-erased stream retains the underlying one`() {
        weak var kept: CounterViewStream?
        var hidden: AnyUnioStream<CounterViewStream.Input, CounterViewStream.Output>?
        do {
            let counter = CounterViewStream(input: .init(), state: .init(), extra: .init())
            kept = counter
            hidden = AnyUnioStream(counter)
        }
        #expect(kept != nil)
        hidden?.input.increment(())
        #expect(hidden?.output.count.value == 1)
        hidden = nil
        #expect(kept == nil)
    }

    @Test func `a stream with an erased logic retains the underlying one`() {
        let stream = AnyLogicBasedStream<CounterViewStream.Input, CounterViewStream.Output>(
            input: .init(), state: CounterViewStream.State(), extra: NoExtra(), logic: CounterViewStream.self)
        stream.input.increment(())
        #expect(stream.output.count.value == 1)
    }

    @Test func `a stream inside an extra stays active`() {
        extra.inner.input.increment(())
        #expect(extra.inner.output.count.value == 1)
    }
}

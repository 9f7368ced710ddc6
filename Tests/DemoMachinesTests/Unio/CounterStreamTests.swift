import DemoMachines
import RxCore
import Testing
import Unio

struct CounterStreamTests {
    private let counter = CounterStream(input: .init(), state: .init(), extra: .init())

    @Test func `it counts up and down but not below zero, and can be reset`() {
        var texts: [String] = []
        let subscription = counter.output.counterText.subscribe(onNext: { texts.append($0) })
        counter.input.countDown(())
        counter.input.countUp(())
        counter.input.countUp(())
        counter.input.countDown(())
        counter.input.countReset(())
        subscription.dispose()
        #expect(texts == ["0", "0", "1", "2", "1", "0"])
        #expect(counter.output.count.value == 0)
    }

    @Test func `counting down is enabled while the count is above zero`() {
        #expect(!counter.output.isCountDownEnabled)
        counter.input.countUp(())
        #expect(counter.output.isCountDownEnabled)
        counter.input.countDown(())
        #expect(!counter.output.isCountDownEnabled)
    }
}

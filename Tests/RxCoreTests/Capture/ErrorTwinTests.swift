import RxCore
import Testing

struct ErrorTwinTests {
    /// Fails for 3.
    private func failing(_ source: Observable<Int>) -> Observable<Int> {
        source.map { element in
            if element == 3 { throw Failure() }
            return element
        }
    }

    @Test func `catch continues with the other source`() {
        Twins.check { inputs in
            failing(inputs.a.asObservable()).catch { _ in inputs.b.scan(0, accumulator: +) }.map(String.init)
        }
    }

    @Test func `retry subscribes again`() {
        Twins.check { inputs in failing(inputs.a.asObservable()).retry().map(String.init) }
        Twins.check { inputs in
            failing(inputs.a.asObservable()).scan(0, accumulator: +).retry(3).map(String.init).catchAndReturn("failed")
        }
    }

    @Test func `retry(when:) subscribes again`() {
        Twins.check { inputs in
            failing(inputs.a.asObservable()).scan(0, accumulator: +).retry(when: { $0.map { _ in () } }).map(
                String.init)
        }
    }
}

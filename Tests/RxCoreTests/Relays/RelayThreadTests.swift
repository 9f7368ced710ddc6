import Dispatch
import RxCore
import Synchronization
import Testing

struct RelayThreadTests {
    /// Unchecked because relays may be used from any thread.
    private struct Shared: @unchecked Sendable {
        let relay = PublishRelay<Int>()
        let bag = DisposeBag()
    }

    @Test func `an observer receives one element at a time from several threads`() {
        let shared = Shared()
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let count = Atomic(0)
        shared.relay.subscribe(onNext: { _ in
            if inside.add(1, ordering: .relaxed).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
            count.add(1, ordering: .relaxed)
            inside.subtract(1, ordering: .relaxed)
        }).disposed(by: shared.bag)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<1_000 { shared.relay.accept(thread * 1_000 + number) }
        }
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(count.load(ordering: .relaxed) == 8_000)
    }

    @Test func `observers may subscribe and unsubscribe while other threads send`() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 {
                if thread.isMultiple(of: 2) {
                    shared.relay.accept(number)
                } else {
                    shared.relay.map { $0 + 1 }.subscribe(onNext: { _ in }).dispose()
                }
            }
        }
        let recorder = Recorder<Int>()
        shared.relay.subscribe(recorder).disposed(by: shared.bag)
        shared.relay.accept(-1)
        #expect(recorder.elements == [-1])
    }
}

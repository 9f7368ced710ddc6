import CombineCore
import CombineSchedulers
import Dispatch
import Locking
import Testing

@Suite struct UISchedulerTests {
    private let main = VirtualMain()
    private let subject = PassthroughSubject<Int, Never>()

    @Test func `values from a turn of the session are delivered in that turn`() {
        var got: [Int] = []
        let token = main.turn { subject.receive(on: UIScheduler.shared).sink { got.append($0) } }
        main.turn {
            subject.send(1)
            #expect(got == [1])
        }
        token.cancel()
    }

    @Test func `values from elsewhere become turns, in order`() {
        var got: [Int] = []
        let token = main.turn { subject.receive(on: UIScheduler.shared).sink { got.append($0) } }
        subject.send(1)
        VirtualMain().turn { subject.send(2) }
        #expect(got.isEmpty)
        main.turn { subject.send(3) }
        #expect(got == [1])
        main.advance()
        #expect(got == [1, 2, 3])
        token.cancel()
    }

    @Test func `a type-erased one also runs actions immediately`() {
        var got: [Int] = []
        let scheduler = UIScheduler.shared.eraseToAnyScheduler()
        let token = main.turn { subject.receive(on: scheduler).sink { got.append($0) } }
        main.turn { subject.send(1) }
        #expect(got == [1])
        subject.send(2)
        #expect(got == [1])
        main.advance()
        #expect(got == [1, 2])
        token.cancel()
    }

    @Test func `direct scheduling inside a turn uses the session`() {
        var got: [String] = []
        let timer = main.turn {
            let scheduler = UIScheduler.shared
            scheduler.schedule { got.append("at once") }
            #expect(got == ["at once"])
            let start = scheduler.moment(at: main.now)
            scheduler.schedule(after: start.advanced(by: .seconds(1))) { got.append("once") }
            return scheduler.schedule(after: start.advanced(by: .seconds(2)), interval: .seconds(2)) {
                got.append("timer")
            }
        }
        main.advance(by: .seconds(5))
        #expect(got == ["at once", "once", "timer", "timer"])
        timer.cancel()
        main.advance(by: .seconds(5))
        #expect(got.count == 4)
    }

    @Test func `without a session it uses the main queue`() async {
        let isMain = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                UIScheduler.shared.schedule { continuation.resume(returning: DispatchQueue.isCurrentMain) }
            }
        }
        #expect(isMain)
        let isAtOnce = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let ran = Lock(false)
                UIScheduler.shared.schedule { ran.withLock { $0 = true } }
                continuation.resume(returning: ran.withLock { $0 })
            }
        }
        #expect(isAtOnce)
    }
}

import CombineCore
import CombineSchedulers
import Dispatch
import Foundation
import Testing

@Suite struct SchedulerErasureTests {
    @Test func `an erased scheduler forwards to the wrapped one`() {
        let hidden = DispatchQueue.test
        let erased: AnySchedulerOf<DispatchQueue> = hidden.eraseToAnyScheduler()
        var got: [String] = []
        erased.schedule { got.append("soon") }
        erased.schedule(after: erased.now.advanced(by: .seconds(1))) { got.append("once") }
        let timer = erased.schedule(after: erased.now.advanced(by: .seconds(2)), interval: .seconds(2)) {
            got.append("timer")
        }
        #expect(erased.now == hidden.now)
        #expect(erased.minimumTolerance == hidden.minimumTolerance)
        hidden.advance(by: .seconds(5))
        #expect(got == ["soon", "once", "timer", "timer"])
        timer.cancel()
    }

    @Test func `erasing an erased scheduler does not wrap it again`() {
        let hidden = DispatchQueue.test
        let twice: AnySchedulerOf<DispatchQueue> = hidden.eraseToAnyScheduler().eraseToAnyScheduler()
        var ran = false
        twice.schedule { ran = true }
        hidden.advance()
        #expect(ran)
    }

    @Test func `a scheduler can be created from closures`() {
        let hidden = RunLoop.test
        let made = AnySchedulerOf<RunLoop>(
            minimumTolerance: { 0.25 }, now: { hidden.now },
            scheduleImmediately: { hidden.schedule(options: $0, $1) },
            delayed: { hidden.schedule(after: $0, tolerance: $1, options: $2, $3) },
            interval: { hidden.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) })
        #expect(made.minimumTolerance == 0.25)
        var count = 0
        made.schedule { count += 1 }
        made.schedule(after: made.now.advanced(by: 1)) { count += 10 }
        let timer = made.schedule(after: made.now.advanced(by: 1), interval: 1) { count += 100 }
        hidden.advance(by: 2)
        #expect(count == 211)
        timer.cancel()
    }

    @Test func `a view model can be created with any scheduler by name`() {
        struct Extra {
            var queue: AnySchedulerOf<DispatchQueue>
            var runLoop: AnySchedulerOf<RunLoop>
            var operations: AnySchedulerOf<OperationQueue>
        }
        let real = Extra(queue: .main, runLoop: .main, operations: .main)
        #expect(real.queue.now <= DispatchQueue.main.now)
        let immediate = Extra(queue: .immediate, runLoop: .immediate, operations: .immediate)
        var got: [Int] = []
        _ = Just(1).delay(for: .seconds(9), scheduler: immediate.queue).sink { got.append($0) }
        _ = Just(2).delay(for: 9, scheduler: immediate.runLoop).sink { got.append($0) }
        _ = Just(3).debounce(for: 9, scheduler: immediate.operations).sink { got.append($0) }
        #expect(got == [1, 2, 3])
    }

    @Test func `an immediate scheduler runs actions immediately and its clock does not advance`() {
        let scheduler = DispatchQueue.immediate
        let start = scheduler.now
        var got: [Int] = []
        scheduler.schedule { got.append(1) }
        scheduler.schedule(after: start.advanced(by: .seconds(3_600))) { got.append(2) }
        scheduler.schedule(after: start, interval: .seconds(1)) { got.append(3) }.cancel()
        #expect(got == [1, 2, 3])
        #expect(scheduler.now == start)
    }

    @Test func `an immediate scheduler can take its time from another one`() {
        let model = DispatchQueue.test
        model.advance(by: .seconds(5))
        let scheduler = AnySchedulerOf<DispatchQueue>.immediate(on: model)
        #expect(scheduler.now == model.now)
        var ran = false
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { ran = true }
        #expect(ran)
    }
}

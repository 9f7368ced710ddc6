import Dispatch
import RxCore
import StateCapture
import Testing

/// Operators whose inner sources are active when the machine is captured.
struct FlatteningTwinTests {
    @Test func `flatMap continues with the sources that are active`() {
        Twins.check { inputs in inputs.a.flatMap { a in inputs.b.map { a * 10 + $0 } }.map(String.init) }
        Twins.check { inputs in
            inputs.a.flatMap { a in inputs.b.scan(a * 100, accumulator: +).take(2) }.map(String.init)
        }
    }

    @Test func `flatMapLatest continues with the latest source`() {
        Twins.check { inputs in
            inputs.a.flatMapLatest { a in
                inputs.b.map { a * 10 + $0 }.debounce(.milliseconds(60), scheduler: MainScheduler.instance)
            }
            .map(String.init)
        }
        Twins.check { inputs in
            inputs.a.flatMapLatest { a in inputs.b.scan(a * 100, accumulator: +) }.map(String.init)
        }
    }

    @Test func `a source of a start value stays active`() {
        Twins.check { inputs in
            inputs.a.map { _ in () }.startWith(()).flatMapLatest { inputs.b.scan(0, accumulator: +) }.map(String.init)
        }
    }

    @Test func `flatMapFirst continues with its source`() {
        Twins.check { inputs in
            inputs.a.flatMapFirst { a in inputs.b.scan(a * 100, accumulator: +).take(2) }.map(String.init)
        }
    }

    @Test func `concatMap continues with its source and those that wait`() {
        Twins.check { inputs in
            inputs.a.concatMap { a in inputs.b.scan(a * 100, accumulator: +).take(2) }.map(String.init)
        }
        Twins.check { inputs in
            inputs.a.concatMap { a in
                Observable.just(a).delay(.milliseconds(70), scheduler: MainScheduler.instance)
            }
            .map(String.init)
        }
    }

    @Test func `a flattened pair with an unretained object is made again`() {
        final class Owner {
            let factor = 10
        }
        let owner = Owner()
        Twins.check { inputs in
            inputs.a.withUnretained(owner).flatMapLatest { owner, a in inputs.b.map { a * owner.factor + $0 } }
                .map(String.init)
        }
        Twins.check { inputs in
            inputs.a.withUnretained(owner).flatMap { owner, a in inputs.b.take(1).map { a * owner.factor + $0 } }
                .map(String.init)
        }
        Twins.check { inputs in
            inputs.a.withUnretained(owner).concatMap { owner, a in inputs.b.take(1).map { a * owner.factor + $0 } }
                .map(String.init)
        }
    }

    @Test func `flattening operators in each other continue`() {
        Twins.check { inputs in
            inputs.a.take(3).flatMap { a in
                inputs.b.flatMapLatest { b in
                    Observable.just(b).delay(.milliseconds(50), scheduler: MainScheduler.instance).map { a * 10 + $0 }
                }
            }
            .map(String.init)
        }
        Twins.check { inputs in
            inputs.a.concatMap { a in inputs.b.take(1).concat(inputs.b.scan(a * 100, accumulator: +).take(2)) }
                .map(String.init)
        }
    }

    @Test func `a single that has not finished does not run again, completes and is reported`() {
        var calls = 0
        let wire: CapturedPipeline.Wire = { inputs in
            inputs.a.concatMap { a in
                Single<Int>.create { observer in
                    calls += 1
                    if a > 1 { observer(.success(a)) }
                    return Disposables.create()
                }
            }
            .map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        pipeline.perform(.send(1, toB: false))
        let restored = pipeline.restarted(wire)
        #expect(calls == 1 && restored.registry.interruptedWork.map(\.name) == ["create"])
        restored.perform(.send(2, toB: false))
        #expect(calls == 2 && restored.log == ["0 2"])
    }

    @Test func `an operator of observables is named`() {
        func obstacles(_ wire: @escaping CapturedPipeline.Wire) -> [String] {
            CapturedPipeline(wire).registry.obstacles.map(\.part)
        }
        #expect(obstacles { $0.a.map { Observable.just("\($0)") }.switchLatest() } == ["switchToLatest"])
        #expect(obstacles { $0.a.map { Observable.just("\($0)") }.merge() } == ["flatMap"])
        #expect(obstacles { $0.a.map { Observable.just("\($0)") }.concat() } == ["concatMap"])
        #expect(obstacles { $0.a.map { Observable.just("\($0)") }.merge(maxConcurrent: 2) } == ["merge"])
    }
}

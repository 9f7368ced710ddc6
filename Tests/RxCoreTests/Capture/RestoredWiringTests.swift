import Dispatch
import RxCore
import RxTesting
import StateCapture
import Testing

/// What a wiring from stored state does and does not do.
struct RestoredWiringTests {
    @Test func `a value that is not Codable is an obstacle with the operator and the type`() {
        final class Token: Equatable {
            static func == (left: Token, right: Token) -> Bool { left === right }
        }
        func obstacles(_ wire: @escaping (Observable<Token>) -> Observable<Token>) -> [CaptureObstacle] {
            let pipeline = CapturedPipeline { inputs in wire(inputs.a.map { _ in Token() }).map { "\($0)" } }
            return pipeline.registry.obstacles
        }
        let main = MainScheduler.instance
        #expect(obstacles { $0.debounce(.seconds(1), scheduler: main) }.map(\.part) == ["debounce"])
        #expect(obstacles { $0.throttle(.seconds(1), scheduler: main) }.map(\.part) == ["throttle"])
        #expect(obstacles { $0.delay(.seconds(1), scheduler: main) }.map(\.part) == ["delay"])
        #expect(obstacles { $0.distinctUntilChanged() }.map(\.part) == ["distinctUntilChanged"])
        #expect(obstacles { $0.scan(Token()) { $1 } }.map(\.part) == ["scan"])
        #expect(obstacles { $0.takeLast(1) }.map(\.part) == ["takeLast"])
        #expect(obstacles { $0.sample($0) }.map(\.part) == ["sample"])
        #expect(obstacles { $0.withLatestFrom($0) }.map(\.part) == ["withLatestFrom"])
        #expect(obstacles { Observable.zip($0, $0) { $1 } }.map(\.part) == ["zip", "zip"])
        #expect(obstacles { $0.share(replay: 1) }.map(\.part) == ["replaySubject"])
        #expect(obstacles { $0.scan(Token()) { $1 } }.first?.type.hasSuffix("Token") == true)
        #expect(obstacles { $0.take(3).filter { _ in true }.share().observe(on: main) } == [])
    }

    @Test func `a timer that became due during a pause fires once and continues on its grid`() {
        let wire: CapturedPipeline.Wire = { _ in
            Observable<Int>.interval(.milliseconds(100), scheduler: MainScheduler.instance).map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        pipeline.perform(.advance(milliseconds: 150))
        let restored = pipeline.restarted(after: .milliseconds(500), wire)
        restored.perform(.advance(milliseconds: 200))
        #expect(restored.log == ["100 0", "650 1", "700 2", "800 3"])
    }

    @Test func `a timer on a virtual scheduler has the times of one outside of a session`() {
        let scheduler = TestScheduler(initialClock: 0)
        var times: [TestTime] = []
        // The first tick is due immediately, which a test's scheduler delays by 1.
        let pipeline = CapturedPipeline { _ in
            Observable<Int>.timer(.seconds(0), period: .seconds(10), scheduler: scheduler).map {
                times.append(scheduler.clock)
                return String($0)
            }
        }
        scheduler.advanceTo(25)
        withExtendedLifetime(pipeline) {}
        #expect(times == [1, 11, 21])
    }

    @Test func `a debounce that became due during a pause fires after the restart`() {
        let wire: CapturedPipeline.Wire = {
            $0.a.debounce(.milliseconds(100), scheduler: MainScheduler.instance).map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        pipeline.perform(.send(7, toB: false))
        let restored = pipeline.restarted(after: .seconds(5), wire)
        #expect(restored.log == [])
        restored.perform(.advance(milliseconds: 1))
        #expect(restored.log == ["5000 7"])
    }

    @Test func `closures of stateless operators do not run`() {
        expectNoCalls { inputs in
            let replay = ReplaySubject<Int>.create(bufferSize: 1)
            replay.onNext(4)
            return Observable.merge(.from([2]), inputs.a.startWith(3), replay)
        }
    }

    @Test func `sources of Combine do not send their values again`() {
        expectNoCalls { inputs in
            Observable.merge(.just(1), BehaviorSubject(value: 5), BehaviorRelay(value: 6).asObservable(), inputs.a)
        }
    }

    private func expectNoCalls(_ source: @escaping (CapturedPipeline.Inputs) -> Observable<Int>) {
        var calls: [String] = []
        let wire: CapturedPipeline.Wire = { inputs in
            source(inputs)
                .map { element -> Int in
                    calls.append("map \(element)")
                    return element
                }
                .do(onNext: { calls.append("do \($0)") }, onCompleted: { calls.append("completed") })
                .flatMap { element -> Observable<String> in
                    calls.append("flatMap \(element)")
                    return .just("\(element)")
                }
        }
        let pipeline = CapturedPipeline(wire)
        #expect(calls.count == 9)
        calls = []
        let restored = pipeline.restarted(wire)
        #expect(calls == [])
        restored.perform(.send(5, toB: false))
        #expect(calls == ["map 5", "do 5", "flatMap 5"])
    }

    @Test func `a closure of create runs again only if the observable is open`() {
        var runs: [String] = []
        func source(_ name: String, ends: Bool) -> Observable<Int> {
            .create { observer in
                runs.append(name)
                observer.onNext(1)
                if ends { observer.onCompleted() }
                return Disposables.create()
            }
        }
        let wire: CapturedPipeline.Wire = { _ in
            Observable.merge(source("open", ends: false), source("ended", ends: true)).map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        let restored = pipeline.restarted(wire)
        #expect(runs == ["open", "ended", "open"])
        #expect(restored.log == ["0 1", "0 1"])
    }

    @Test func `an observer that was disposed of stays so`() {
        var subscription: (any Disposable)?
        var received: [Int] = []
        let wire: CapturedPipeline.Wire = { inputs in
            subscription = inputs.a.scan(0, accumulator: +).subscribe(onNext: { received.append($0) })
            return inputs.b.map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        pipeline.perform(.send(1, toB: false))
        subscription?.dispose()
        pipeline.capture()
        let restored = pipeline.restarted(wire)
        restored.perform(.send(2, toB: false))
        #expect(received == [1])
    }

    @Test func `a retry that awaits its trigger tries again`() {
        let wire: CapturedPipeline.Wire = { inputs in
            inputs.a.map { element -> Int in
                if element == 3 { throw Failure() }
                return element
            }
            .retry(when: { errors in
                errors.flatMap { _ in Observable<Int>.timer(.seconds(60), scheduler: MainScheduler.instance) }
            })
            .map(String.init)
        }
        let pipeline = CapturedPipeline(wire)
        pipeline.perform(.send(3, toB: false))
        let restored = pipeline.restarted(wire)
        restored.perform(.send(4, toB: false))
        #expect(restored.log == ["0 4"])
    }

    @Test func `an operator that another build does not have is dropped`() {
        let pipeline = CapturedPipeline { $0.a.scan(0, accumulator: +).map(String.init) }
        pipeline.perform(.send(2, toB: false))
        let restored = pipeline.restarted { $0.a.enumerated().map { "\($0.index)" } }
        #expect(restored.unknownParts.count == 1 && restored.unknownParts[0].hasPrefix("scan~"))
        restored.perform(.send(2, toB: false))
        #expect(restored.log == ["0 2", "0 0"])
    }

    @Test func `the state of an operator of another type is dropped`() {
        let pipeline = CapturedPipeline { $0.a.scan("") { $0 + "\($1)" } }
        pipeline.perform(.send(2, toB: false))
        let restored = pipeline.restarted { $0.a.scan(0, accumulator: +).map(String.init) }
        #expect(restored.registry.mismatches == [])
        #expect(restored.unknownParts.count == 1 && restored.unknownParts[0].hasPrefix("scan~"))
        restored.perform(.send(4, toB: false))
        #expect(restored.log == ["0 2", "0 4"])
    }

    @Test func `a relay or a subject is captured once, whatever it is made of`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let made = registry.wire { () -> [Any] in
            [
                BehaviorRelay(value: 1), PublishRelay<Int>(), ReplayRelay<Int>.create(bufferSize: 1),
                BehaviorSubject(value: 1), PublishSubject<Int>(), ReplaySubject<Int>.create(bufferSize: 1),
                AsyncSubject<Int>(),
            ]
        }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        let names = StateChanges(bytes[...]).map { change in String(change.key.prefix { $0 != "~" }) }
        #expect(
            names.sorted() == [
                "asyncSubject", "behaviorRelay", "behaviorSubject", "publishSubject", "replayRelay", "replaySubject",
            ])
        withExtendedLifetime(made) {}
    }

    @Test func `nothing is registered outside of a session`() {
        #expect(Observable.of(1, 2).scan(0, accumulator: +).take(2).immediateEvents.compactMap(\.element) == [1, 3])
        #expect(StateRegistry.current == nil)
    }
}

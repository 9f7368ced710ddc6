import CombineCore
import CombineTesting
import Dispatch
import Foundation
import Testing

/// A pipeline of a stateful operator, for the twin tests.
struct TwinPipeline: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let name: String
    let wire: @Sendable (TwinWorld) -> Void

    init(_ name: String, _ wire: @escaping @Sendable (TwinWorld) -> Void) {
        self.name = name
        self.wire = wire
    }

    var description: String { name }
    var testDescription: String { name }

    static let all: [TwinPipeline] =
        sources + transformations + sequencing + timing + combining + republishing + flattening + subjects + unseen

    private static let main = DispatchQueue.main

    static let sources: [TwinPipeline] = [
        TwinPipeline("subjects") { $0.log($0.a.merge(with: $0.b, $0.current, $0.published.$number)) },
        TwinPipeline("CurrentValueSubject") { $0.log($0.current) },
        TwinPipeline("@Published") { $0.log($0.published.$number) },
        TwinPipeline("Just") { $0.log(Just(1).merge(with: $0.a)) },
        TwinPipeline("Just, pulled") { $0.pull(Just(1)) },
        TwinPipeline("Optional, Result") {
            $0.log(Optional(1).publisher.append(Result<Int, Never>.success(2).publisher).append($0.a.scan(0, +)))
        },
        TwinPipeline("Sequence, pulled") { $0.pull((0..<20).publisher) },
        TwinPipeline("Sequence") { $0.log((0..<3).publisher.append($0.a)) },
        TwinPipeline("Record, pulled") { $0.pull(Record<Int, Never>(output: [1, 2, 3, 4, 5], completion: .finished)) },
        TwinPipeline("Future") { world in
            world.log(Future<Int, Never> { $0(.success(5)) }.append(world.a).scan(0, +))
        },
        TwinPipeline("Deferred") { world in world.log(Deferred { world.a.scan(0, +) }) },
        TwinPipeline("Empty, Fail") { world in
            world.log(Empty<Int, Never>().append(world.a))
            world.log(Fail<Int, TestError>(error: TestError(2)).catch { _ in world.a.scan(0, +) })
        },
        TwinPipeline("multicast") { world in
            let shared = world.a.scan(0, +).multicast(subject: CurrentValueSubject(1))
            world.log(shared.map { $0 + 1 })
            world.log(shared.scan(0, +))
            _ = shared.connect()
        },
        TwinPipeline("share") { world in
            let shared = world.a.scan(0, +).share()
            world.log(shared)
            world.log(shared.removeDuplicates())
        },
        TwinPipeline("share of a finished stream") { world in
            let shared = world.a.first().share()
            world.log(shared)
            world.log(shared.scan(0, +))
            world.log(world.b.scan(0, +))
        },
        TwinPipeline("assign") { world in
            world.a.assign(to: &world.published.$number)
            world.log(world.published.$number.scan(0, +))
        },
        TwinPipeline("subject as subscriber") { world in
            let subject = PassthroughSubject<Int, Never>()
            world.log(subject.scan(0, +))
            world.keep(world.a.map { $0 * 2 }.subscribe(subject))
        },
    ]

    static let transformations: [TwinPipeline] = [
        TwinPipeline("scan") { $0.log($0.a.scan(0, +)) },
        TwinPipeline("tryScan") { world in
            world.log(world.a.tryScan(0) { if $1 == 4, $0 > 20 { throw TestError(3) } else { return $0 + $1 } })
        },
        TwinPipeline("removeDuplicates") { $0.log($0.a.removeDuplicates()) },
        TwinPipeline("removeDuplicates of tuples") { world in
            world.log(world.a.combineLatest(world.b).removeDuplicates { $0 == $1 })
        },
        TwinPipeline("tryRemoveDuplicates") { $0.log($0.a.tryRemoveDuplicates { $0 == $1 }) },
        TwinPipeline("collect") { $0.log($0.a.collect()) },
        TwinPipeline("collect by count") { $0.log($0.a.collect(3)) },
        TwinPipeline("reduce") { $0.log($0.a.reduce(0, +)) },
        TwinPipeline("tryReduce") { $0.log($0.a.tryReduce(0) { $0 + $1 }) },
        TwinPipeline("count, min, max") {
            $0.log($0.a.count())
            $0.log($0.a.min())
            $0.log($0.a.max())
        },
        TwinPipeline("contains, allSatisfy") {
            $0.log($0.a.contains(4))
            $0.log($0.b.allSatisfy { $0 < 4 })
            $0.log($0.a.tryContains { $0 == 3 })
        },
        TwinPipeline("ignoreOutput") { $0.log($0.a.ignoreOutput()) },
        TwinPipeline("replaceEmpty") { $0.log($0.a.filter { $0 == 4 }.replaceEmpty(with: 9)) },
        TwinPipeline("replaceEmpty, pulled") { $0.pull($0.a.filter { $0 == 4 }.replaceEmpty(with: 9)) },
        TwinPipeline("replaceError") { $0.log($0.failing.replaceError(with: 9)) },
        TwinPipeline("replaceError, pulled") { $0.pull($0.failing.replaceError(with: 9)) },
        TwinPipeline("last") { $0.log($0.a.last()) },
        TwinPipeline("last where") { $0.log($0.a.last { $0 < 3 }) },
        TwinPipeline("reduction, pulled") { $0.pull($0.a.reduce(0, +)) },
        TwinPipeline("buffer") { $0.pull($0.a.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest)) },
        TwinPipeline("buffer, keepFull") { $0.pull($0.a.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)) },
    ]

    static let sequencing: [TwinPipeline] = [
        TwinPipeline("first") {
            $0.log($0.a.first())
            $0.log($0.b.scan(0, +))
        },
        TwinPipeline("first, pulled") { $0.pull($0.a.first()) },
        TwinPipeline("first where") { $0.log($0.a.first { $0 == 3 }) },
        TwinPipeline("tryFirst where") { $0.log($0.a.tryFirst { $0 == 3 }) },
        TwinPipeline("prefix") { $0.log($0.a.prefix(4)) },
        TwinPipeline("prefix while") { $0.log($0.a.prefix { $0 != 3 }) },
        TwinPipeline("prefix until") { $0.log($0.a.prefix(untilOutputFrom: $0.signal)) },
        TwinPipeline("drop") { $0.log($0.a.dropFirst(3)) },
        TwinPipeline("drop, pulled") { $0.pull($0.a.dropFirst(3)) },
        TwinPipeline("drop while") { $0.log($0.a.drop { $0 != 3 }) },
        TwinPipeline("tryDrop while") { $0.log($0.a.tryDrop { $0 != 3 }) },
        TwinPipeline("drop until") { $0.log($0.a.drop(untilOutputFrom: $0.signal)) },
        TwinPipeline("output") {
            $0.log($0.a.output(at: 3))
            $0.log($0.a.output(in: 1...3))
        },
        TwinPipeline("prepend") { $0.log($0.a.scan(0, +).prepend(8, 9)) },
        TwinPipeline("append") { world in
            world.log(world.a.append(world.b.scan(0, +)))
            world.log(world.b.scan(0, +))
        },
        TwinPipeline("append after a prefix") { world in
            world.log(world.a.prefix(2).append(world.b.scan(0, +).prefix(3)).append(world.current.scan(0, +)))
            world.log(world.b.scan(0, +))
        },
        TwinPipeline("append values") { $0.log($0.a.prefix(2).append(7, 8)) },
        TwinPipeline("retry") { world in
            let attempts = world.failing.scan(0, +).tryMap { if $0 > 6 { throw TestError(4) } else { return $0 } }
            world.log(attempts.retry(3))
            world.log(world.a.scan(0, +))
        },
        TwinPipeline("catch") { world in
            world.log(world.failing.scan(0, +).catch { _ in world.a.scan(10, +) })
            world.log(world.a.scan(0, +))
        },
        TwinPipeline("tryCatch") { world in
            world.log(world.failing.tryCatch { _ in world.a.setFailureType(to: TestError.self).scan(10, +) })
        },
    ]

    static let timing: [TwinPipeline] = [
        TwinPipeline("debounce") { $0.log($0.a.debounce(for: .milliseconds(100), scheduler: main)) },
        TwinPipeline("debounce of a signal") { $0.log($0.signal.debounce(for: .milliseconds(100), scheduler: main)) },
        TwinPipeline("debounce after a value of the wiring") { world in
            world.log(world.current.debounce(for: .milliseconds(100), scheduler: main).prepend(1))
        },
        TwinPipeline("throttle, latest") { world in
            world.log(world.a.throttle(for: .milliseconds(150), scheduler: main, latest: true))
        },
        TwinPipeline("throttle, first") { world in
            world.log(world.a.throttle(for: .milliseconds(150), scheduler: main, latest: false))
        },
        TwinPipeline("delay") { $0.log($0.a.delay(for: .milliseconds(130), scheduler: main)) },
        TwinPipeline("delay of a failure") { $0.log($0.failing.delay(for: .milliseconds(130), scheduler: main)) },
        TwinPipeline("receive on") { $0.log($0.a.receive(on: main)) },
        TwinPipeline("subscribe on") { $0.log($0.a.scan(0, +).subscribe(on: main)) },
        TwinPipeline("timeout") { $0.log($0.a.timeout(.milliseconds(400), scheduler: main)) },
        TwinPipeline("timeout with an error") { world in
            world.log(world.failing.timeout(.milliseconds(400), scheduler: main) { TestError(5) })
        },
        TwinPipeline("collect by time") { $0.log($0.a.collect(.byTime(main, .milliseconds(170)))) },
        TwinPipeline("collect by time or count") { world in
            world.log(world.a.collect(.byTimeOrCount(main, .milliseconds(170), 2)))
        },
        TwinPipeline("measureInterval") { $0.log($0.a.measureInterval(using: main).map(\.magnitude)) },
        TwinPipeline("timer") { world in
            let timer = Timer.publish(every: 0.09, on: .main, in: .common).autoconnect()
            world.log(timer.scan(0) { count, _ in count + 1 })
        },
        TwinPipeline("debounce → removeDuplicates → delay") { world in
            world.log(
                world.a.debounce(for: .milliseconds(60), scheduler: main).removeDuplicates()
                    .delay(for: .milliseconds(60), scheduler: main).scan(0, +))
        },
    ]

    static let combining: [TwinPipeline] = [
        TwinPipeline("combineLatest") { $0.log($0.a.combineLatest($0.b)) },
        TwinPipeline("combineLatest3") { $0.log($0.a.combineLatest($0.b, $0.current)) },
        TwinPipeline("combineLatest4") { $0.log($0.a.combineLatest($0.b, $0.signal, $0.published.$number)) },
        TwinPipeline("combineLatest → debounce") { world in
            world.log(world.a.combineLatest(world.b).debounce(for: .milliseconds(60), scheduler: main))
        },
        TwinPipeline("zip") { $0.log($0.a.zip($0.b)) },
        TwinPipeline("zip3") { $0.log($0.a.zip($0.b, $0.current)) },
        TwinPipeline("zip4") { $0.log($0.a.zip($0.b, $0.a.scan(0, +), $0.b.scan(0, +))) },
        TwinPipeline("merge") { $0.log($0.a.merge(with: $0.b).scan(0, +)) },
        TwinPipeline("merge, pulled") { $0.pull($0.a.merge(with: $0.b)) },
        TwinPipeline("merge of a sequence and a value, pulled") {
            $0.pull((0..<20).publisher.merge(with: $0.a, $0.current, Just(30)))
        },
        TwinPipeline("merge many") { $0.log(Publishers.MergeMany([$0.a, $0.b, $0.a]).scan(0, +)) },
    ]

    static let republishing: [TwinPipeline] = [
        TwinPipeline("flatMap") { world in
            world.log(world.a.flatMap { Just($0 * 2) }.scan(0, +))
        },
        TwinPipeline("flatMap in the wiring") { world in
            world.log(Just(2).append(world.a).flatMap { Just($0).scan(1, +) })
            world.log(world.a.scan(0, +))
        },
        TwinPipeline("switchToLatest") { world in
            world.log(world.a.map { Just($0 * 2).append($0) }.switchToLatest())
            world.log(world.a.scan(0, +))
        },
    ]
}

import CombineCore
import CombineTesting

/// Pipelines with subjects and published properties that the wiring creates, and that belong to no registered object.
extension TwinPipeline {
    static let subjects: [TwinPipeline] = [
        TwinPipeline("CurrentValueSubject of the wiring") { world in
            let total = CurrentValueSubject<Int, Never>(1)
            world.keep(world.a.sink { total.value += $0 })
            world.log(world.b.map { total.value * 10 + $0 })
            world.log(total.removeDuplicates())
        },
        TwinPipeline("CurrentValueSubject without subscribers") { world in
            let (total, count) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(0))
            world.keep(world.a.sink { total.value += $0 })
            world.keep(world.b.sink { _ in count.value += 1 })
            world.log(world.signal.map { (total.value, count.value) })
        },
        TwinPipeline("CurrentValueSubject that ends") { world in
            let subject = CurrentValueSubject<Int, TestError>(1)
            world.keep(
                world.failing.sink { _ in
                    subject.send(completion: .failure(TestError(8)))
                } receiveValue: {
                    subject.value += $0
                })
            world.log(world.a.setFailureType(to: TestError.self).flatMap { a in subject.first().map { a * 10 + $0 } })
            world.log(subject)
        },
        TwinPipeline("CurrentValueSubject that the wiring changes") { world in
            let subject = CurrentValueSubject<Int, Never>(1)
            world.keep(Just(5).sink { subject.value = $0 })
            world.keep(world.a.sink { subject.value += $0 })
            world.log(subject.map { $0 + 1 })
            world.log(world.b.map { subject.value + $0 })
        },
        TwinPipeline("CurrentValueSubject that a source reads") { world in
            let page = CurrentValueSubject<Int, Never>(0)
            world.keep(world.signal.sink { page.value += 1 })
            world.log(world.a.flatMap { a in world.b.prefix(2).scan(page.value * 100, +).map { $0 + a } })
        },
        TwinPipeline("PassthroughSubject that ends") { world in
            let gate = PassthroughSubject<Int, Never>()
            world.keep(
                world.a.prefix(3).sink { _ in
                    gate.send(completion: .finished)
                } receiveValue: {
                    gate.send($0)
                })
            world.log(world.b.flatMap { b in gate.map { $0 + b }.replaceEmpty(with: b) })
        },
        TwinPipeline("@Published of the wiring, not projected") { world in
            let holder = PublishedHolder()
            world.keep(world.a.sink { holder.number += $0 })
            world.log(world.b.map { holder.number * 10 + $0 })
        },
        TwinPipeline("@Published of the wiring, projected") { world in
            let holder = PublishedHolder()
            world.a.assign(to: &holder.$number)
            world.log(holder.$number.combineLatest(world.b))
            world.log(holder.objectWillChange.map { holder.number })
        },
        TwinPipeline("CurrentValueSubject of a source") { world in
            world.log(
                world.a.flatMap { a in
                    let sum = CurrentValueSubject<Int, Never>(a)
                    return world.b.map { b -> Int in
                        sum.value += b
                        return sum.value
                    }
                    .prefix(4)
                })
        },
        TwinPipeline("multicast of a subject of the wiring") { world in
            let subject = CurrentValueSubject<Int, Never>(1)
            let shared = world.a.scan(0, +).multicast(subject: subject)
            world.log(shared.map { $0 + subject.value })
            world.log(world.b.flatMap { b in shared.first().map { $0 + b } })
            let connection = shared.connect()
            world.keep(AnyCancellable { connection.cancel() })
        },
        TwinPipeline("multicast that makes a subject") { world in
            let shared = world.a.scan(0, +).multicast { CurrentValueSubject<Int, Never>(1) }
            world.log(shared)
            world.log(world.b.flatMap { b in shared.first().map { $0 + b } })
            let connection = shared.connect()
            world.keep(AnyCancellable { connection.cancel() })
        },
        TwinPipeline("Future that is subscribed later") { world in
            let (found, failed) = (
                Future<Int, TestError> { $0(.success(5)) }, Future<Int, TestError> { $0(.failure(TestError(9))) }
            )
            world.log(world.a.setFailureType(to: TestError.self).flatMap { a in found.map { $0 + a } })
            world.log(world.b.flatMap { b in failed.replaceError(with: b) })
        },
        TwinPipeline("connectable, autoconnected") { world in
            let shared = world.a.scan(0, +).makeConnectable().autoconnect()
            world.log(shared)
            world.log(shared.removeDuplicates())
        },
    ]

    /// Pipelines in which the latest value of a subject waits for demand.
    static let unseen: [TwinPipeline] = [
        TwinPipeline("CurrentValueSubject, pulled") { $0.pull($0.current) },
        TwinPipeline("@Published, pulled") { $0.pull($0.published.$number.map { $0 + 1 }) },
        TwinPipeline("CurrentValueSubject of the wiring, pulled") { world in
            let total = CurrentValueSubject<Int, Never>(1)
            world.keep(world.a.sink { total.value += $0 })
            world.pull(total)
        },
        TwinPipeline("flatMap of the latest value, one at a time") { world in
            let latest = CurrentValueSubject<Int, Never>(1)
            world.keep(world.a.sink { latest.value = $0 })
            world.log(latest.flatMap(maxPublishers: .max(1)) { a in world.b.scan(a * 100, +).prefix(2) })
        },
    ]
}

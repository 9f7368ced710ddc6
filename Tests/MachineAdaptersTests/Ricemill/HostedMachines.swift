import CombineCore
import Foundation
import MachineHost
import Ricemill
import RicemillAdapter

/// A machine whose outputs follow a publisher that sends from any thread.
final class ExternalMachine: Machine<ExternalMachine> {
    struct Input: InputType {}
    typealias Output = Store

    final class Store: StoredOutputType {
        let latest: AnyPublisher<Int, Never>
        let rang = PassthroughSubject<Int, Never>()

        init(_ latest: AnyPublisher<Int, Never>) {
            self.latest = latest
        }
    }

    struct Extra: ExtraType {
        let source: PassthroughSubject<Int, Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [extra.source.sink { store.rang.send($0) }])
    }

    static func definition(
        made: @escaping @Sendable (PassthroughSubject<Int, Never>) -> Void
    ) throws -> MachineDefinition {
        try .ricemill("outside", summary: "") { _ in
            let source = PassthroughSubject<Int, Never>()
            made(source)
            return ExternalMachine(
                input: .init(), store: .init(source.eraseToAnyPublisher()), extra: .init(source: source))
        }
    }
}

/// A machine that sets its subjects again while their values are delivered.
final class SettlingMachine: Machine<SettlingMachine> {
    struct Input: InputType {
        let raise = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        let level = CurrentValueSubject<Int, Never>(0)
        let list = CurrentValueSubject<[Int], Never>([0])
        let fallible = CurrentValueSubject<Int, Failure>(0)
    }

    struct Failure: Error {}
    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            store.level.sink { if $0 == 1 { store.level.send(10) } },
            store.list.sink { if $0 == [1] { store.list.value = [10] } },
            store.fallible.sink { _ in
            } receiveValue: {
                if $0 == 1 { store.fallible.send(10) }
            },
            input.raise.sink {
                store.level.send(1)
                store.list.send([1])
                store.fallible.send(1)
            },
        ])
    }
}

/// A scheduler that runs each action on a thread of its own.
struct ThreadScheduler: Scheduler {
    typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    /// The actions that have not ended.
    let actions = DispatchGroup()

    var now: SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) {
        let action = Transferred(value: action)
        actions.enter()
        Thread.detachNewThread {
            action.value()
            actions.leave()
        }
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        schedule(options: nil, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(options: nil, action)
        return AnyCancellable {}
    }
}

/// A machine that receives on the main queue, as an app does.
final class MainQueueMachine: Machine<MainQueueMachine> {
    struct Input: InputType {
        let go = PassthroughSubject<Void, Never>()
        let goLater = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var count = 0
    }

    struct Extra: ExtraType {
        let arrived: (Bool) -> Void
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let count = input.go.receive(on: DispatchQueue.main)
            .merge(with: input.goLater.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main))
            .sink {
                store.count += 1
                extra.arrived(true)
            }
        return Polished(cancellables: [count])
    }

    static func definition(arrived: @escaping @Sendable (Bool) -> Void) throws -> MachineDefinition {
        try .ricemill("mainly", summary: "") { _ in
            MainQueueMachine(input: .init(), store: .init(), extra: .init(arrived: arrived))
        }
    }
}

/// A machine whose output can become a number that JSON cannot represent.
final class RatioMachine: Machine<RatioMachine> {
    struct Input: InputType {
        let divideBy = PassthroughSubject<Double, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var ratio = 1.0
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [input.divideBy.sink { store.ratio /= $0 }])
    }
}

/// A machine that is part of a reference cycle.
final class SelfRetainingMachine: Machine<SelfRetainingMachine> {
    struct Input: InputType {
        let touch = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var touches = 0
    }

    final class Extra: ExtraType {
        var machine: AnyObject?
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [input.touch.sink { store.touches += extra.machine == nil ? 0 : 1 }])
    }
}

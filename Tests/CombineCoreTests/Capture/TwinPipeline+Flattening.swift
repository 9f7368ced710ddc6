import CombineCore
import CombineTesting
import Dispatch

/// Pipelines whose inner publishers are subscribed when the machine is captured.
extension TwinPipeline {
    private static let main = DispatchQueue.main

    /// Returns a publisher that fails at a value.
    private static func failing(_ world: TwinWorld) -> AnyPublisher<Int, TestError> {
        world.b.tryMap { if $0 == 4 { throw TestError(7) } else { return $0 } }
            .mapError { $0 as? TestError ?? TestError(0) }.eraseToAnyPublisher()
    }

    static let flattening: [TwinPipeline] = [
        TwinPipeline("flatMap of a subject") { world in
            world.log(world.a.flatMap { a in world.b.map { a * 10 + $0 } })
        },
        TwinPipeline("flatMap → scan, many live") { world in
            world.log(world.a.flatMap { a in world.b.scan(a * 100, +) }.removeDuplicates())
            world.log(world.b.scan(0, +))
        },
        TwinPipeline("flatMap of publishers that end") { world in
            world.log(world.a.flatMap { a in world.b.scan(a * 100, +).prefix(2) }.collect(3))
        },
        TwinPipeline("flatMap → delay") { world in
            world.log(world.a.flatMap { Just($0).delay(for: .milliseconds(130), scheduler: main) })
        },
        TwinPipeline("flatMap of a future") { world in
            world.log(
                world.a.flatMap { a in
                    Future<Int, Never> { $0(.success(a)) }.delay(for: .milliseconds(90), scheduler: main)
                })
        },
        TwinPipeline("flatMap in flatMap") { world in
            world.log(
                world.a.prefix(3).flatMap { a in
                    world.b.prefix(2).flatMap { b in world.current.dropFirst().scan(a * 100 + b * 10, +) }
                })
        },
        TwinPipeline("flatMap of failing publishers") { world in
            world.log(world.a.flatMap { a in failing(world).map { a * 10 + $0 } })
            world.log(world.a.setFailureType(to: TestError.self).flatMap { a in world.b.map { a * 10 + $0 } })
        },
        TwinPipeline("flatMap, one at a time") { world in
            world.log(world.a.flatMap(maxPublishers: .max(1)) { a in world.b.scan(a * 100, +).prefix(2) })
        },
        TwinPipeline("flatMap, two at a time, from a buffer") { world in
            world.log(
                world.a.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
                    .flatMap(maxPublishers: .max(2)) { a in world.b.scan(a * 100, +).prefix(2) })
        },
        TwinPipeline("flatMap, pulled") { world in
            world.pull(world.a.flatMap { a in world.b.map { a * 10 + $0 } })
        },
        TwinPipeline("flatMap of publishers that end, pulled") { world in
            world.pull(world.a.flatMap { a in world.b.prefix(2).map { a * 10 + $0 } })
        },
        TwinPipeline("flatMap of publishers that send unasked, pulled") { world in
            world.pull(world.a.flatMap { a in world.b.prefix(3).replaceEmpty(with: 0).map { a * 10 + $0 } })
        },
        TwinPipeline("flatMap of publishers that send unasked, two at a time, pulled") { world in
            world.pull(
                world.a.flatMap(maxPublishers: .max(2)) { a in
                    world.b.prefix(3).replaceEmpty(with: 0).map { a * 10 + $0 }
                })
        },
        TwinPipeline("flatMap after a publisher of the wiring") { world in
            world.log(Just(()).append(world.signal).flatMap { world.b.scan(0, +) })
        },
        TwinPipeline("flatMap of a sequence of publishers") { world in
            let streams = [world.a.eraseToAnyPublisher(), world.b.eraseToAnyPublisher()]
            world.log(streams.publisher.flatMap { $0.scan(0, +) })
        },
        TwinPipeline("map → flatMap of publishers") { world in
            world.log(world.a.map { a in world.b.scan(a * 100, +) }.flatMap { $0 })
        },
        TwinPipeline("map → debounce → switchToLatest") { world in
            world.log(
                world.a.map { a in
                    world.b.map { a * 10 + $0 }.debounce(for: .milliseconds(100), scheduler: main)
                }
                .switchToLatest())
        },
        TwinPipeline("map → switchToLatest of a subject") { world in
            world.log(Just(()).append(world.signal).map { world.b.scan(0, +) }.switchToLatest())
            world.log(world.b.scan(0, +))
        },
        TwinPipeline("map → switchToLatest, pulled") { world in
            world.pull(world.a.map { a in world.b.scan(a * 100, +) }.switchToLatest())
        },
        TwinPipeline("tryMap, compactMap, key path → switchToLatest") { world in
            world.log(
                world.a.tryMap { a in
                    if a == 4 { throw TestError(6) }
                    return world.b.scan(a * 100, +).setFailureType(to: (any Error).self)
                }
                .switchToLatest())
            world.log(world.a.compactMap { a in a == 3 ? nil : world.b.scan(a * 100, +) }.switchToLatest())
            world.log(world.a.map { a in (source: world.b.scan(a * 100, +), number: a) }.map(\.source).switchToLatest())
        },
        TwinPipeline("map → switchToLatest of failing publishers") { world in
            world.log(world.a.map { a in failing(world).map { a * 10 + $0 } }.switchToLatest())
        },
        TwinPipeline("switchToLatest in flatMap") { world in
            world.log(
                world.a.prefix(2).flatMap { a in
                    world.b.map { b in Just(b).delay(for: .milliseconds(80), scheduler: main).map { a * 10 + $0 } }
                        .switchToLatest()
                })
        },
        TwinPipeline("flatMap of a shared stream") { world in
            let shared = world.b.scan(0, +).share()
            world.log(shared)
            world.log(world.a.flatMap { a in shared.map { a * 100 + $0 } })
        },
        TwinPipeline("flatMap → append") { world in
            world.log(world.a.flatMap { a in world.b.prefix(1).append(world.b.scan(a * 100, +).prefix(2)) })
        },
    ]
}

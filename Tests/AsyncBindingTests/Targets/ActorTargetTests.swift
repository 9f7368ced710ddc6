import AsyncBinding
import CombineCore
import Testing

@globalActor
actor Shelf {
    static let shared = Shelf()
}

@Shelf
final class Book: AsyncBindingExtensionsProvider {
    var title: String?
    var pages = 0
    nonisolated init() {}
}

actor Register: AsyncBindingExtensionsProvider {
    private(set) var entries: [Int] = []
    func add(_ entry: Int) { entries.append(entry) }
    func enter(_ entry: Int) { add(entry) }
}

@Suite struct ActorTargetTests {
    @Shelf @Test func `a property that is isolated to a global actor is set on that actor`() async {
        let book = Book()
        let (titles, continuation) = AsyncStream.makeStream(of: String?.self)
        let binding = book.asyncBinding.bind(\.title, on: Shelf.self) <~ titles
        continuation.yield("a")
        continuation.finish()
        _ = await binding.end
        #expect(book.title == "a")
    }

    @Shelf @Test func `optional and non-optional values can be bound on a global actor`() async {
        let book = Book()
        let title = book.asyncBinding.bind(\.title, on: Shelf.self) <~ Just("b")
        let pages =
            book.asyncBinding.bind(\.pages, on: Shelf.self)
            <~ Publishers.Sequence<[Int?], Never>(sequence: [1, 2, nil])
        _ = await title.end
        _ = await pages.end
        #expect(book.title == "b")
        #expect(book.pages == 2)
    }

    @Test func `an actor receives values one at a time and in order`() async {
        let register = Register()
        let binding =
            register.asyncBinding.bind { register, entry in register.enter(entry) }
            <~ Publishers.Sequence<Range<Int>, Never>(sequence: 0..<100)
        _ = await binding.end
        #expect(await register.entries == Array(0..<100))
    }

    @Test func `an actor is not retained, and iteration stops at the next value after its deallocation`() async {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        var register: Register? = Register()
        weak let observed = register
        let target = (register ?? Register()).asyncBinding.bind { (register: isolated Register, entry: Int) in
            register.enter(entry)
        }
        let binding = target <~ numbers
        register = nil
        #expect(observed == nil)
        continuation.yield(1)
        guard case .targetGone = await binding.end else {
            Issue.record("expected a binding whose target was deallocated")
            return
        }
    }

    @Test func `a value in flight to an actor is dropped after the binding was disposed of`() async {
        let register = Register()
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let target = register.asyncBinding.bind { (register: isolated Register, entry: Int) in
            register.enter(entry)
        }
        let binding = target <~ numbers
        binding.dispose()
        continuation.yield(1)
        _ = await binding.end
        #expect(await register.entries == [])
    }
}

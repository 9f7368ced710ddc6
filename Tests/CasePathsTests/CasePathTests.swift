import Testing

@testable import CasePaths

@Suite struct CasePathTests {
    @Test func `a path modifies the value of its case in place`() throws {
        let path: CasePath<Outer, Inner> = /Outer.inner
        var outer = Outer.inner(.value(1))
        let result = try path.modify(&outer) { inner in
            inner = .value(2)
            return "done"
        }
        #expect(result == "done")
        #expect(outer == .inner(.value(2)))
        outer = .twin(.none)
        #expect(throws: ExtractionFailed.self) { try path.modify(&outer) { $0 = .value(3) } }
        #expect(outer == .twin(.none))
        #expect(throws: Failure()) {
            var outer = Outer.inner(.none)
            try path.modify(&outer) { _ in throw Failure() }
        }
    }

    @Test func `a path is a pattern`() {
        switch Outer.twin(.none) {
        case /Outer.inner: Issue.record("matched another case")
        case /Outer.twin: break
        default: Issue.record("matched no case")
        }
    }

    @Test func `the identity path embeds and extracts everything`() {
        let path = AnyCasePath<Int, Int>()
        #expect(path.embed(1) == 1)
        #expect(path.extract(from: 2) == 2)
    }

    @Test func `a case is made of two functions`() {
        let path = Case<Inner>(
            embed: { Outer.inner($0) }, extract: { if case .inner(let inner) = $0 { inner } else { nil } })
        #expect(path.embedding(.none, in: Outer.self) == .inner(.none))
        #expect(path.extracting(Outer.inner(.value(1))) == .value(1))
        #expect(path.extracting(Outer.twin(.value(1))) == nil)
        #expect(path.extracting(1) == nil)
    }

    @Test func `extraction returns the payload of its case, and nil for other cases`() {
        let path: CasePath<Payloads, Int> = /Payloads.number
        #expect(path.extract(from: .number(7)) == 7)
        #expect(path.extract(from: .other(7)) == nil)
        #expect(path.extract(from: .nothing) == nil)
        #expect(path.embed(3) == .number(3))
    }

    @Test func `cases with payloads of the same type are distinguished, whichever is seen first`() {
        let seenFirst = CasePath.case(Payloads.other)
        #expect(seenFirst.extract(from: .number(1)) == nil)
        #expect(seenFirst.extract(from: .other(2)) == 2)
        #expect(seenFirst.extract(from: .number(3)) == nil)
    }

    @Test func `cases without payload, with an empty payload and of no size are found`() {
        #expect((/Payloads.nothing).extract(from: .nothing) != nil)
        #expect((/Payloads.nothing).extract(from: .nothingElse) == nil)
        #expect((/Payloads.empty).extract(from: .empty(())) != nil)
        #expect((/Payloads.empty).extract(from: .nothing) == nil)
        #expect((/Payloads.unit).extract(from: .unit(Unit())) != nil)
        #expect((/Payloads.unit).extract(from: .empty(())) == nil)
        #expect((/Payloads.unit).extract(from: .number(1)) == nil)
    }

    @Test func `a function that returns its argument extracts the root, whatever its type`() {
        #expect((/{ $0 } as CasePath<Int, Int>).extract(from: 42) == 42)
        #expect((/{ $0 } as CasePath<String, String>).extract(from: "a") == "a")
        #expect((/{ $0 + 1 } as CasePath<Int, Int>).extract(from: 42) == nil)
        indirect enum Chain: Equatable {
            case link(Chain)
            case end
        }
        let link: CasePath<Chain, Chain> = /Chain.link
        #expect(link.extract(from: .link(.end)) == .end)
        #expect(link.extract(from: .end) == nil)
        let chain: CasePath<Chain, Chain> = /{ $0 }
        #expect(chain.extract(from: .link(.end)) == .link(.end))
    }

    @Test func `a function that returns its argument extracts roots with unused bytes, which differ between copies`() {
        struct Padded {
            var flag: Int8
            var number: Int
        }
        enum Action {
            case any(Any)
            case padded(Padded)
            case first
            case second
        }
        let padded: CasePath<Padded, Padded> = /{ $0 }
        #expect(padded.extract(from: Padded(flag: 1, number: 2))?.number == 2)
        let pair: CasePath<(Int8, Int), (Int8, Int)> = /{ $0 }
        #expect(pair.extract(from: (1, 2))?.1 == 2)
        let any: CasePath<Any, Int8> = /{ $0 }
        #expect(any.extract(from: Int8(3)) == 3)
        let action: CasePath<Action, Action> = /{ $0 }
        let value = Padded(flag: 1, number: 2)
        for root in [Action.any(value), .any(Int8(1)), .any(Action.first), .padded(value), .first, .second] {
            #expect(action.extract(from: root) != nil, "\(root)")
        }
        let changing: CasePath<Padded, Padded> = /{ Padded(flag: $0.flag, number: $0.number + 1) }
        #expect(changing.extract(from: value) == nil)
        let constant: CasePath<Action, Action> = /{ _ in .second }
        #expect(constant.extract(from: .first) == nil)
    }

    @Test func `labels do not affect extraction`() throws {
        #expect((/Payloads.labelled).extract(from: .labelled(label: "a")) == "a")
        let pair = try #require((/Payloads.pair).extract(from: .pair(first: 1, second: "b")))
        #expect(pair == (1, "b"))
        #expect((/Payloads.pair).extract(from: .swapped("b", 1)) == nil)
    }

    @Test func `existential and optional payloads are extracted`() throws {
        struct Failure: Error, Equatable {}
        let error = try #require((/Existentials.error).extract(from: .error(Failure())))
        #expect(error as? Failure == Failure())
        #expect((/Existentials.any).extract(from: .any(5)) as? Int == 5)
        #expect((/Existentials.maybe).extract(from: .maybe(nil)) == .some(nil))
        #expect((/Existentials.maybe).extract(from: .any(1)) == nil)
    }

    @Test func `functions are extracted if generic code uses the same calling convention`() throws {
        var calls: [String] = []
        let path: CasePath<Closures, () -> Void> = /Closures.plain
        for call in ["1", "2"] {
            let plain = try #require(path.extract(from: .plain({ calls.append(call) })))
            plain()
        }
        let pair = try #require((/Closures.pair).extract(from: .pair(id: 1, done: { calls.append("3") })))
        pair.1()
        let maybe = try #require((/Closures.maybe).extract(from: .maybe({ calls.append("4") })))
        maybe?()
        #expect((/Closures.maybe).extract(from: .maybe(nil)).map { $0 == nil } == true)
        let boxed = try #require((/Closures.boxed).extract(from: .boxed({ calls.append("5") })))
        boxed()
        #expect(calls == ["1", "2", "3", "4", "5"])
        let failing = try #require((/Closures.failing).extract(from: .failing({ throw Failure() })))
        #expect(throws: Failure.self) { try failing() }
        let echo = try #require((/Closures.echo).extract(from: .echo({ "\($0) again" })))
        #expect(echo(7) as? String == "7 again")
        #expect((/Closures.plain).extract(from: .boxed({})) == nil)
    }

    @Test func `functions with another calling convention are extracted from generic cases only`() throws {
        #expect((/Existentials.function).extract(from: .function({ $0 + 1 })) == nil)
        #expect((/Existentials.maybeFunction).extract(from: .maybeFunction({ $0 + 1 })) == nil)
        #expect((/Existentials.both).extract(from: .both(1, { $0 + 1 })) == nil)
        #expect((/Existentials.objects).extract(from: .objects({ _ in })) == nil)
        #expect((/Existentials.errors).extract(from: .errors({ _ in })) == nil)
        let increment = try #require((/Optional<(Int) -> Int>.some).extract(from: { $0 + 1 }))
        #expect(increment(1) == 2)
        let path: CasePath<Generic<Int, (String) -> Int>, (String) -> Int> = /Generic.right
        let count = try #require(path.extract(from: .right({ $0.count })))
        #expect(count("four") == 4)
        #expect(path.extract(from: .left(1)) == nil)
    }

    @Test func `extracted functions are neither leaked nor released too early`() throws {
        weak var leaked: Token?
        do {
            let token = Token()
            leaked = token
            let path: CasePath<Closures, () -> Void> = /Closures.plain
            for _ in 0..<3 {
                let function = try #require(path.extract(from: .plain({ _ = token })))
                function()
            }
        }
        #expect(leaked == nil)
    }

    @Test func `a concrete type is extracted from a case with an existential payload`() throws {
        struct Large: Error, Equatable { var (a, b, c, d) = (1, 2, 3, 4) }
        let path: CasePath<Result<String, any Error>, Large> = /Result<_, any Error>.failure
        let empty: CasePath<Result<String, any Error>, Failure> = /Result<_, any Error>.failure
        for _ in 1...2 {
            #expect(path.extract(from: .failure(Large())) == Large())
            #expect(path.extract(from: .failure(Failure())) == nil)
            #expect(path.extract(from: .success("")) == nil)
            #expect(empty.extract(from: .failure(Failure())) == Failure())
            #expect(empty.extract(from: .failure(Large())) == nil)
        }
        let first: CasePath<Protocols, Large> = /Protocols.first
        let second: CasePath<Protocols, Large> = /Protocols.second
        for _ in 1...2 {
            #expect(first.extract(from: .second(Large())) == nil)
            #expect(first.extract(from: .first(Large())) == Large())
            #expect(second.extract(from: .first(Large())) == nil)
            #expect(second.extract(from: .second(Large())) == Large())
        }
        let pair: CasePath<Protocols, (Failure, Int)> = /Protocols.pair
        #expect(try #require(pair.extract(from: .pair(Failure(), 12))) == (Failure(), 12))
        #expect(pair.extract(from: .pair(Large(), 12)) == nil)
        let any: CasePath<Existentials, Int> = /Existentials.any
        #expect(any.extract(from: .any(5)) == 5)
        #expect(any.extract(from: .any("5")) == nil)
        #expect(any.extract(from: .maybe(5)) == nil)
    }

    @Test func `a function that supplies the other associated values extracts the first`() {
        let path: CasePath<Payloads, Int> = .case { .pair(first: $0, second: "x") }
        for _ in 1...2 {
            #expect(path.extract(from: .pair(first: 4, second: "x")) == 4)
            #expect(path.extract(from: .pair(first: 5, second: "y")) == 5)
            #expect(path.extract(from: .number(4)) == nil)
            #expect(path.extract(from: .swapped("x", 4)) == nil)
        }
        #expect(extract(case: { Payloads.swapped($0, 1) }, from: .swapped("a", 2)) == "a")
        let number: CasePath<Payloads, Int> = /Payloads.number
        #expect(number.extract(from: .pair(first: 4, second: "x")) == nil)
        #expect(number.extract(from: .number(4)) == 4)
        let nested: CasePath<Nested, Int> = .case { .both(.value($0), id: "x") }
        #expect(nested.extract(from: .both(.value(3), id: "y")) == 3)
        #expect(nested.extract(from: .both(.other(3), id: "y")) == nil)
        #expect(nested.extract(from: .one(.value(3))) == nil)
        #expect(extract(case: { Nested.both($0, id: "x") }, from: .both(.value(3), id: "y")) == .value(3))
    }

    @Test func `values of uninhabited types are never extracted`() {
        enum Impossible {
            case nevers(Never, Never)
            case never(Never)
            case something(Void)
            case nothing
        }
        let path: CasePath<Impossible, (Never, Never)> = /Impossible.nevers(_:_:)
        let never: CasePath<Impossible, Never> = /Impossible.never
        for value in [Impossible.something(()), .nothing] {
            #expect(path.extract(from: value) == nil)
            #expect(never.extract(from: value) == nil)
        }
    }

    @Test func `case paths are created from a constructor, a value or a type`() {
        enum Reply: Equatable {
            case number(Int)
            case pair(Int, text: String)
            case nothing
        }
        let number = AnyCasePath(Reply.number), nothing = AnyCasePath(Reply.nothing)
        #expect(number.embed(1) == .number(1))
        #expect(number.extract(from: .number(2)) == 2)
        #expect(number.extract(from: .nothing) == nil)
        #expect(nothing.embed(()) == .nothing)
        #expect(nothing.extract(from: .nothing) != nil)
        #expect(nothing.extract(from: .number(2)) == nil)
        #expect(AnyCasePath(Reply.pair).extract(from: .pair(3, text: "a")).map { $0 == (3, "a") } == true)
        #expect(AnyCasePath(Reply.self).extract(from: .nothing) == .nothing)
        #expect((/.some).extract(from: Optional(4)) == 4)
    }

    @Test func `extraction sees through optional roots and optional payloads`() {
        let path: CasePath<Payloads?, String> = /Payloads.labelled
        #expect(path.extract(from: .labelled(label: "a")) == "a")
        #expect(path.extract(from: nil) == nil)
        #expect(path.extract(from: .number(1)) == nil)
        let success: CasePath<Result<String?, any Error>, String> = /Result.success
        #expect(success.extract(from: .success("a")) == "a")
        #expect(success.extract(from: .success(nil)) == nil)
    }

    @Test func `generic enums and optionals are enums`() {
        #expect((/Generic<Int, [String]>.left).extract(from: .left(1)) == 1)
        #expect((/Generic<Int, [String]>.right).extract(from: .right(["a"])) == ["a"])
        #expect((/Generic<Int, Int>.right).extract(from: .left(1)) == nil)
        #expect((/Optional<Int>.some).extract(from: 3) == 3)
        #expect((/Optional<Int>.some).extract(from: nil) == nil)
        #expect((/Result<Int, any Error>.success).extract(from: .success(1)) == 1)
    }

    @Test func `a local enum with private types is an enum`() {
        enum Local {
            case here(Hidden)
            case there(Hidden)
        }
        struct Hidden: Equatable { var text = "x" }
        #expect((/Local.there).extract(from: .there(Hidden())) == Hidden())
        #expect((/Local.there).extract(from: .here(Hidden())) == nil)
    }

    @Test func `indirect cases are extracted`() {
        let tree = Tree.node(.leaf("l"), .node(.leaf("a"), .leaf("b")))
        #expect((/Tree.leaf).extract(from: tree) == nil)
        #expect((/Tree.node).extract(from: tree)?.0 == .leaf("l"))
        #expect((/Tree.wide).extract(from: .wide(Wide(a: 1, b: 2)))?.b == 2)
        #expect((/Tree.leaf).extract(from: .leaf("x")) == "x")
    }

    @Test func `paths are appended`() {
        let path = /Outer.inner .. /Inner.value
        #expect(path.extract(from: .inner(.value(4))) == 4)
        #expect(path.extract(from: .inner(.none)) == nil)
        #expect(path.extract(from: .twin(.value(4))) == nil)
        #expect(path.embed(5) == .inner(.value(5)))
        #expect((/Outer.inner .. Inner.value).extract(from: .inner(.value(4))) == 4)
        #expect((Outer.inner .. Inner.value).extract(from: .inner(.value(4))) == 4)
        #expect((/Outer.inner).appending(path: /Inner.none).extract(from: .inner(.none)) != nil)
    }

    @Test func `a function that wraps a value twice is a path through both cases`() {
        let path: CasePath<Outer, Int> = .case { .twin(.value($0)) }
        #expect(path.extract(from: .inner(.value(4))) == nil)
        #expect(path.extract(from: .twin(.value(4))) == 4)
        #expect(path.extract(from: .twin(.other(4))) == nil)
    }

    @Test func `there are paths for types, raw values and descriptions`() {
        #expect((/Payloads.self).extract(from: .number(1)) == .number(1))
        #expect((/.self as CasePath<Int, Int>).extract(from: 2) == 2)
        #expect(CasePath<Int, Raw>.rawValue.extract(from: 1) == .one)
        #expect(CasePath<Int, Raw>.rawValue.extract(from: 9) == nil)
        #expect(CasePath<String, Int>.description.extract(from: "12") == 12)
        #expect(CasePath<String, Int>.description.embed(12) == "12")
        #expect(CasePath.constant(42).extract(from: ()) == 42)
        #expect(CasePath.constant(42).embed(42) == ())
        #expect(CasePath<Int, Never>.never.extract(from: 9) == nil)
    }

    @Test func `the function forms work in a compactMap`() {
        let all: [Payloads] = [.number(1), .nothing, .number(3), .other(4)]
        #expect(all.compactMap(/Payloads.number) == [1, 3])
        #expect(all.compactMap(/Payloads.nothing).count == 1)
        #expect(extract(case: Payloads.other, from: .other(9)) == 9)
        #expect(all.compactMap(extract(Payloads.other)) == [4])
    }

    @Test func `a composed extraction works in a compactMap`() {
        let results = [Result.success(1), .success(nil), .failure(Failure())]
        #expect([1] == results.compactMap(/Result.success .. Optional.some))
        #expect(results.compactMap(/Result.success .. /Optional.some) == [1])
        let all: [Outer] = [.inner(.value(1)), .inner(.other(2)), .twin(.value(3))]
        #expect(all.compactMap(/Outer.inner .. Inner.value) == [1])
        #expect(all.compactMap(/Outer.twin .. /Inner.value) == [3])
        let deep: [Outer?] = [.inner(.value(1)), nil, .twin(.value(3))]
        #expect(deep.compactMap(/Optional.some .. Outer.twin .. Inner.value) == [3])
        let extraction: (Outer) -> Inner? = { if case .inner(let inner) = $0 { inner } else { nil } }
        #expect(all.compactMap(extraction .. /Inner.other) == [2])
    }

    @Test func `extraction neither leaks nor releases too much`() throws {
        weak var leaked: Token?
        do {
            let token = Token()
            leaked = token
            let path = CasePath.case(Holders.plain)
            let boxed = CasePath.case(Holders.boxed)
            for _ in 0..<3 {
                let plain = try #require(path.extract(from: .plain(token)))
                let fromBox = try #require(boxed.extract(from: .boxed(token, "padding")))
                #expect(plain === token)
                #expect(fromBox.0 === token)
                #expect(path.extract(from: .boxed(token, "padding")) == nil)
            }
        }
        #expect(leaked == nil)
    }

    @Test func `many threads can use one path`() async {
        let path: CasePath<Payloads, Int> = /Payloads.number
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { number in
                        let extracted = path.extract(from: .number(number + worker))
                        return extracted == number + worker && path.extract(from: .other(number)) == nil
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `the shape of an enum lists its cases with names, payloads and labels`() throws {
        let shape = try #require(EnumShape(Payloads.self))
        let names = shape.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("nothing"))
        let labelled = try #require(shape.cases.first { $0.name == "labelled" })
        #expect(labelled.payload == String.self)
        #expect(labelled.label == "label")
        #expect(EnumShape(Int.self) == nil)
    }
}

@Suite struct EnumShapeTests {
    private func make<Root>(_ name: String, _ values: Any..., as type: Root.Type = Root.self) throws -> Root? {
        let shape = try #require(EnumShape(Root.self))
        let tag = try #require(shape.cases.firstIndex { $0.name == name })
        return shape.value(ofCase: tag, carrying: values, as: Root.self)
    }

    @Test func `values are created from a case and its associated values`() throws {
        #expect(try make("nothing", as: Payloads.self) == .nothing)
        #expect(try make("other", 4, as: Payloads.self) == .other(4))
        #expect(try make("labelled", "x", as: Payloads.self) == .labelled(label: "x"))
        #expect(try make("pair", 1, "two", as: Payloads.self) == .pair(first: 1, second: "two"))
        #expect(try make("some", "s", as: String?.self) == "s")
        #expect(try make("right", [1], as: Generic<String, [Int]>.self)?.right == [1])
    }

    @Test func `values of one byte, optional values and nested enums can be associated values`() throws {
        #expect(try make("flags", 7, true, as: Small.self) == .flags(to: 7, fast: true))
        #expect(try make("maybe", Optional<String>.none as Any, as: Small.self) == .maybe(nil))
        #expect(try make("maybe", Optional("x") as Any, as: Small.self) == .maybe("x"))
        #expect(try make("maybe", "x", as: Small.self) == .maybe("x"))
        #expect(try make("flag", false, as: Small.self) == .flag(false))
        #expect(
            try make("nested", 4, Inner.value(3), as: Small.self) == .nested(id: 4, action: .value(3)))
    }

    @Test func `values of indirect cases are created, and nothing leaks`() throws {
        let tree = Tree.node(.leaf("a"), .wide(Wide(a: 1, b: 2)))
        #expect(try make("node", Tree.leaf("a"), Tree.wide(Wide(a: 1, b: 2)), as: Tree.self) == tree)
        #expect(try make("wide", Wide(a: 3, b: 4, c: 5, d: 6), as: Tree.self) == .wide(Wide(a: 3, b: 4, c: 5, d: 6)))
        #expect(
            try make("aligned", SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8), true, as: Aligned.self)
                == .aligned([1, 2, 3, 4, 5, 6, 7, 8], true))
        weak var gone: Token?
        do {
            let token = Token()
            gone = token
            #expect(try make("plain", token, as: Holders.self) != nil)
            #expect(try make("boxed", token, "padding", as: Holders.self) == .boxed(token, "padding"))
        }
        #expect(gone == nil)
    }

    @Test func `values that do not fit are rejected`() throws {
        #expect(try make("other", "text", as: Payloads.self) == nil)
        #expect(try make("other", as: Payloads.self) == nil)
        #expect(try make("nothing", 1, as: Payloads.self) == nil)
        #expect(try make("pair", 1, as: Payloads.self) == nil)
    }
}

private enum Small: Equatable {
    case flags(to: Int, fast: Bool)
    case maybe(String?)
    case flag(Bool)
    case nested(id: Int, action: Inner)
}

private struct Unit: Equatable {}

private enum Payloads: Equatable {
    case nothing
    case number(Int)
    case other(Int)
    case labelled(label: String)
    case pair(first: Int, second: String)
    case swapped(String, Int)
    case empty(Void)
    case unit(Unit)
    case nothingElse

    static func == (lhs: Payloads, rhs: Payloads) -> Bool { String(describing: lhs) == String(describing: rhs) }
}

private enum Existentials {
    case error(any Error)
    case any(Any)
    case function((Int) -> Int)
    case maybe(Int?)
    case maybeFunction(((Int) -> Int)?)
    case both(Int, (Int) -> Int)
    case objects((Token) -> Void)
    case errors((any Error) -> Void)
}

private enum Closures {
    case plain(() -> Void)
    case pair(id: Int, done: () -> Void)
    case maybe((() -> Void)?)
    indirect case boxed(() -> Void)
    case failing(() throws -> Void)
    case echo((Any) -> Any)
}

private struct Failure: Error, Equatable {}

private enum Protocols {
    case first(any Error)
    indirect case second(any Error)
    case pair(any Error, Int)
}

private enum Nested {
    case both(Inner, id: String)
    case one(Inner)
}

private enum Generic<Left, Right> {
    case left(Left)
    case right(Right)

    var right: Right? { if case .right(let right) = self { right } else { nil } }
}

private struct Wide: Equatable { var a: Int, b: Int, c = 0, d = 0 }

private indirect enum Tree: Equatable {
    case leaf(String)
    case node(Tree, Tree)
    case wide(Wide)
}

/// A payload that does not follow the header of its box immediately.
private enum Aligned: Equatable {
    indirect case aligned(SIMD8<Float>, Bool)
}

private enum Inner: Equatable {
    case value(Int)
    case other(Int)
    case none
}

private enum Outer: Equatable {
    case inner(Inner)
    case twin(Inner)
}

private enum Raw: Int { case one = 1 }

private final class Token: Equatable {
    static func == (one: Token, other: Token) -> Bool { one === other }
}

private enum Holders: Equatable {
    case plain(Token)
    indirect case boxed(Token, String)
}

import Testing

@testable import CasePaths

@Suite struct CasePathTests {
    @Test func `a case yields what it carries and no other case does`() {
        let path: CasePath<Payloads, Int> = /Payloads.number
        #expect(path.extract(from: .number(7)) == 7)
        #expect(path.extract(from: .other(7)) == nil)
        #expect(path.extract(from: .nothing) == nil)
        #expect(path.embed(3) == .number(3))
    }

    @Test func `two cases with payloads of one type are told apart, whichever is seen first`() {
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

    @Test func `labels do not matter to what is extracted`() throws {
        #expect((/Payloads.labelled).extract(from: .labelled(label: "a")) == "a")
        let pair = try #require((/Payloads.pair).extract(from: .pair(first: 1, second: "b")))
        #expect(pair == (1, "b"))
        #expect((/Payloads.pair).extract(from: .swapped("b", 1)) == nil)
    }

    @Test func `existential and optional payloads are extracted, functions are not`() throws {
        struct Failure: Error, Equatable {}
        let error = try #require((/Existentials.error).extract(from: .error(Failure())))
        #expect(error as? Failure == Failure())
        #expect((/Existentials.any).extract(from: .any(5)) as? Int == 5)
        #expect((/Existentials.function).extract(from: .function { $0 + 1 }) == nil)
        #expect((/Existentials.maybe).extract(from: .maybe(nil)) == .some(nil))
        #expect((/Existentials.maybe).extract(from: .any(1)) == nil)
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

    @Test func `a function that wraps twice is a way through both cases`() {
        let path: CasePath<Outer, Int> = .case { .twin(.value($0)) }
        #expect(path.extract(from: .inner(.value(4))) == nil)
        #expect(path.extract(from: .twin(.value(4))) == 4)
        #expect(path.extract(from: .twin(.other(4))) == nil)
    }

    @Test func `types lead to themselves, raw values and descriptions to what they mean`() {
        #expect((/Payloads.self).extract(from: .number(1)) == .number(1))
        #expect((/.self as CasePath<Int, Int>).extract(from: 2) == 2)
        #expect(CasePath<Int, Raw>.rawValue.extract(from: 1) == .one)
        #expect(CasePath<Int, Raw>.rawValue.extract(from: 9) == nil)
        #expect(CasePath<String, Int>.description.extract(from: "12") == 12)
        #expect(CasePath<String, Int>.description.embed(12) == "12")
        #expect(CasePath<Int, Void>.constant(4).extract(from: 9) != nil)
        #expect(CasePath<Int, Never>.never.extract(from: 9) == nil)
    }

    @Test func `the function forms work in a compactMap`() {
        let all: [Payloads] = [.number(1), .nothing, .number(3), .other(4)]
        #expect(all.compactMap(/Payloads.number) == [1, 3])
        #expect(all.compactMap(/Payloads.nothing).count == 1)
        #expect(extract(case: Payloads.other, from: .other(9)) == 9)
        #expect(all.compactMap(extract(Payloads.other)) == [4])
    }

    @Test func `extraction neither leaks nor frees too much`() throws {
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

    @Test func `one path serves many threads`() async {
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

    @Test func `values are made of a case and what it carries`() throws {
        #expect(try make("nothing", as: Payloads.self) == .nothing)
        #expect(try make("other", 4, as: Payloads.self) == .other(4))
        #expect(try make("labelled", "x", as: Payloads.self) == .labelled(label: "x"))
        #expect(try make("pair", 1, "two", as: Payloads.self) == .pair(first: 1, second: "two"))
        #expect(try make("some", "s", as: String?.self) == "s")
        #expect(try make("right", [1], as: Generic<String, [Int]>.self)?.right == [1])
    }

    @Test func `values of one byte, optional values and nested enums are carried`() throws {
        #expect(try make("flags", 7, true, as: Small.self) == .flags(to: 7, fast: true))
        #expect(try make("maybe", Optional<String>.none as Any, as: Small.self) == .maybe(nil))
        #expect(try make("maybe", Optional("x") as Any, as: Small.self) == .maybe("x"))
        #expect(try make("maybe", "x", as: Small.self) == .maybe("x"))
        #expect(try make("flag", false, as: Small.self) == .flag(false))
        #expect(
            try make("nested", 4, Inner.value(3), as: Small.self) == .nested(id: 4, action: .value(3)))
    }

    @Test func `indirect cases are not made, and nothing leaks`() throws {
        #expect(try make("node", Tree.leaf("a"), Tree.leaf("b"), as: Tree.self) == nil)
        weak var gone: Token?
        do {
            let token = Token()
            gone = token
            #expect(try make("plain", token, as: Holders.self) != nil)
            #expect(try make("boxed", token, "padding", as: Holders.self) == nil)
        }
        #expect(gone == nil)
    }

    @Test func `what does not fit is refused`() throws {
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

private final class Token {}

private enum Holders {
    case plain(Token)
    indirect case boxed(Token, String)
}

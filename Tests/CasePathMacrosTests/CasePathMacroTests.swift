import CasePathMacros
import IssueReporting
import Testing

@CasePathable
@dynamicMemberLookup
enum Shape: Equatable {
    case point
    case circle(radius: Int)
    case rectangle(width: Int, height: Int)
    case other(Other)
    case `default`(String?)
}

@CasePathable
enum Other: Equatable {
    case text(String)
    case nothing
}

@CasePathable
enum Choice<Element: Equatable>: Equatable {
    struct Iterator: Equatable {}

    case one(Element)
    case many([Element], isSorted: Bool)
    case iterator(Iterator)
}

@CasePathable
indirect enum Tree: Equatable {
    case leaf(Int)
    case node(Self, Self)
}

@CasePathable
@dynamicMemberLookup
enum Screen: Equatable {
    case shape(Shape?)
    case drawing(Drawing?)
}

@CasePathable
enum Drawing: Equatable {
    case circle(Int)
}

@CasePathable
enum Step {
    struct Root: Equatable {}

    case root(Root)
    case run(() -> Int)
    case wait(for: @Sendable (Int) -> Int, Int)
}

#if DEBUG
    @available(*, deprecated, message: "Only for tests of conditional attributes.")
#else
    @available(*, deprecated)
#endif
@CasePathable
enum Conditional {
    case text(String)
}

struct CasePathMacroTests {
    @Test func `a key path leads through optional values`() {
        let optional = \Screen.Cases.drawing
        let drawing: CaseKeyPath<Screen, Drawing> = \.drawing
        let circle: CaseKeyPath<Screen, Int> = \Screen.Cases.drawing.circle
        #expect(Screen.drawing(nil)[case: optional] == .some(.none))
        #expect(Screen.drawing(nil)[case: drawing] == nil)
        #expect(Screen.drawing(.circle(2))[case: drawing] == .circle(2))
        #expect(drawing(.circle(2)) == .drawing(.circle(2)))
        #expect(Screen.drawing(.circle(2))[case: \.drawing.circle] == 2)
        #expect(circle(3) == .drawing(.circle(3)))
        #expect(circle == \Screen.Cases.drawing.circle)
        let radius: CaseKeyPath<Screen, Int?> = \.drawing.circle
        #expect(radius(nil) == .drawing(nil))
        #expect(radius(4) == .drawing(.circle(4)))
        #expect(Screen.drawing(nil)[case: radius] == nil)
        #expect(Screen.drawing(.circle(5))[case: radius] == 5)
        #expect(Screen.shape(nil)[case: radius] == nil)
    }

    @Test func `a key path embeds and extracts`() {
        let path: CaseKeyPath<Shape, Int> = \.circle
        #expect(path(3) == .circle(radius: 3))
        #expect(Shape.circle(radius: 3)[case: path] == 3)
        #expect(Shape.point[case: path] == nil)
        #expect(Shape.rectangle(width: 1, height: 2)[case: \.rectangle]?.height == 2)
    }

    @Test func `a key path leads through nested enums`() {
        let path: CaseKeyPath<Shape, String> = \.other.text
        #expect(path("a") == .other(.text("a")))
        #expect(Shape.other(.text("a"))[case: path] == Optional("a"))
        #expect(Shape.other(.nothing)[case: path] == nil)
    }

    @Test func `a value knows its case`() {
        #expect(Shape.point.is(\.point))
        #expect(!Shape.point.is(\.circle))
        #expect(Shape.other(.nothing).is(\.other.nothing))
        #expect(Shape.default(nil).is(\.default))
        #expect(Shape.circle(radius: 1).circle == 1)
        #expect(Shape.point.circle == nil)
    }

    @Test func `a pattern matches a case`() {
        switch Shape.other(.text("a")) {
        case \.other.nothing: Issue.record("matched another case")
        case \.other.text: break
        default: Issue.record("matched no case")
        }
    }

    @Test func `an associated value is modified and replaced in place`() {
        var shape = Shape.circle(radius: 1)
        shape.modify(\.circle) { $0 += 1 }
        #expect(shape == .circle(radius: 2))
        shape[case: \.circle] = 3
        #expect(shape == .circle(radius: 3))
        shape.circle = 4
        #expect(shape == .circle(radius: 4))
        var outer = Shape.other(.text("a"))
        outer[case: \.other.text] = "b"
        #expect(outer == .other(.text("b")))
    }

    @Test func `setting the value of another case has no effect`() {
        var shape = Shape.circle(radius: 1)
        shape[case: \.other.text] = "a"
        shape[case: \.point] = ()
        shape.other = .nothing
        #expect(shape == .circle(radius: 1))
        shape = .other(.nothing)
        shape[case: \.other.text] = "a"
        #expect(shape == .other(.nothing))
    }

    @Test func `a path without the type of the value embeds and extracts`() {
        let path: PartialCaseKeyPath<Shape> = \.circle
        let value: Any = 3
        #expect(path(value) == .circle(radius: 3))
        #expect(path(4) == .circle(radius: 4))
        #expect(path("a") == nil)
        #expect(Shape.circle(radius: 3)[case: path] as? Int == 3)
        #expect(Shape.point[case: path] == nil)
        let optional: PartialCaseKeyPath<Shape> = \.default
        #expect(optional("a") == .default("a"))
        #expect(optional(String?.none as Any) == .default(nil))
        #expect(Shape.default(nil)[case: optional] != nil)
    }

    @Test func `an optional enum has the cases of the enum`() {
        var shape: Shape? = .circle(radius: 1)
        let path: CaseKeyPath<Shape, Int> = \.circle
        shape.modify(path) { $0 += 1 }
        #expect(shape == .circle(radius: 2))
        let partial: PartialCaseKeyPath<Shape> = path
        #expect(shape.is(partial))
        for other: Shape? in [nil, .point] { #expect(!other.is(partial)) }
    }

    @Test func `a generic enum may name its parameter as sequences do`() {
        #expect(Choice.one(1)[case: \.one] == 1)
        #expect(Choice.many([1], isSorted: true)[case: \.many]?.0 == [1])
        #expect(Choice<Int>.iterator(Choice<Int>.Iterator()).is(\.iterator))
        #expect((\Shape.Cases.circle)(3) == .circle(radius: 3))
        #expect(Array(Choice<Int>.allCasePaths) == [\.one, \.many, \.iterator])
    }

    @Test func `an associated value may be a function`() {
        let path: CaseKeyPath<Step, () -> Int> = \.run
        #expect(path({ 7 })[case: path]?() == 7)
        #expect(Step.root(Step.Root())[case: path] == nil)
        #expect(Step.root(Step.Root())[case: \.root] == Step.Root())
        #expect(Step.wait(for: { $0 + 1 }, 2)[case: \.wait].map { $0.0($0.1) } == 3)
    }

    @Test func `an associated value may be the enum itself`() {
        let path: CaseKeyPath<Tree, (Tree, Tree)> = \.node
        #expect(path((.leaf(1), .leaf(2))) == .node(.leaf(1), .leaf(2)))
        #expect(Tree.node(.leaf(1), .leaf(2))[case: path]?.1 == .leaf(2))
    }

    @Test func `a value in another case is not modified and reported`() {
        final class Reports: @unchecked Sendable { var count = 0 }
        let reports = Reports()
        var shape = Shape.point
        FoundIssue.$receiver.withValue({ _ in reports.count += 1 }) { shape.modify(\.circle) { $0 += 1 } }
        #expect(shape == .point)
        #expect(reports.count == 1)
    }

    @Test func `an enum lists its cases and finds that of a value`() {
        #expect(Array(Other.allCasePaths) == [\.text, \.nothing])
        #expect(Other.allCasePaths[.nothing] == \Other.Cases.nothing)
        #expect(Shape.allCasePaths[.circle(radius: 1)] == \Shape.Cases.circle)
    }

    @Test func `optionals and results have case paths`() {
        let optional: Shape? = .circle(radius: 2)
        let radius: Int? = optional[case: \.some.circle]
        #expect(radius == 2)
        let shorter: Int? = optional[case: \.circle]
        #expect(shorter == 2)
        let nothing: Shape? = nil
        #expect(nothing.is(\.none))
        #expect(Result<Int, any Error>.success(1)[case: \.success] == 1)
    }

    @Test func `a case path of a key path behaves like one of a function`() {
        let path = AnyCasePath(\Shape.Cases.circle)
        #expect(path.extract(from: .circle(radius: 1)) == 1)
        #expect(path.embed(2) == .circle(radius: 2))
        #expect(path.debugDescription == "AnyCasePath<Shape, Int>")
    }
}

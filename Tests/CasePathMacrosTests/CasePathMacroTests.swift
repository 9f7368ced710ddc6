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

struct CasePathMacroTests {
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
        shape[case: \.other.text] = "a"
        #expect(shape == .other(.text("a")))
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
    }
}

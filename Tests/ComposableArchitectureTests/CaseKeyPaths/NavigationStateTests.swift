import CasePaths
import Testing

@testable import ComposableArchitecture

@Suite struct NavigationStateTests {
    private enum Screen: Equatable, CasePathable {
        case list
        case detail(String)

        struct AllCasePaths {
            var detail: AnyCasePath<Screen, String> {
                AnyCasePath(embed: { .detail($0) }, extract: { if case .detail(let text) = $0 { text } else { nil } })
            }
        }

        static var allCasePaths: AllCasePaths { AllCasePaths() }
    }

    @Test func `an element of a stack is changed by its case`() {
        var path = StackState<Screen>([.list, .detail("a"), .list])
        path[id: 1, case: \.detail]?.append("b")
        #expect(path[id: 1] == .detail("ab"))
        #expect(path[id: 0, case: \.detail] == nil)
        #expect(path[id: 9, case: \.detail] == nil)
        #expect(issues { path[id: 0, case: \.detail] = "x" }.count == 1)
        #expect(issues { path[id: 9, case: \.detail] = "x" } == [])
        #expect(Array(path) == [.list, .detail("ab"), .list])
        path[id: 1, case: \.detail] = nil
        #expect(Array(path) == [.list, .list])
    }

    @Test func `a case path of a function leads to the same values`() {
        var path = StackState<Screen>([.list, .detail("a")])
        path[id: 1, case: /Screen.detail]?.append("b")
        #expect(path[id: 1, case: /Screen.detail] == "ab")
        #expect(issues { path[id: 0, case: /Screen.detail] = "x" }.count == 1)
        path[id: 1, case: /Screen.detail] = nil
        #expect(Array(path) == [.list])
        var presented = PresentationState<Screen>(wrappedValue: .detail("a"))
        presented[case: /Screen.detail]?.append("b")
        #expect(presented[case: /Screen.detail] == "ab")
        presented[case: /Screen.detail] = nil
        #expect(issues { presented[case: /Screen.detail] = "c" }.count == 1)
    }

    @Test func `what is presented is changed by its case`() {
        var presented = PresentationState<Screen>(wrappedValue: .detail("a"))
        presented[case: \.detail]?.append("b")
        #expect(presented.wrappedValue == .detail("ab"))
        presented[case: \.detail] = nil
        #expect(presented.wrappedValue == nil)
        #expect(issues { presented[case: \.detail] = "c" }.count == 1)
        presented.wrappedValue = .list
        #expect(issues { presented[case: \.detail] = "c" }.count == 1)
        #expect(presented.wrappedValue == .list)
    }

    @Test func `a stack is a collection whose elements keep their ids`() {
        var path = StackState([1, 2, 3])
        path.removeLast()
        path += [4, 5]
        #expect(path.ids == [0, 1, 3, 4])
        path.insert(0, at: 0)
        path.removeAll { $0 == 2 }
        #expect(path.ids == [5, 0, 3, 4])
        #expect(Array(path) == [0, 1, 4, 5])
        path.removeAll()
        #expect(path.isEmpty)
        #expect(path.append(1) == 6)
        #expect(Set([path, path]).count == 1)
    }

    private struct Form: Equatable {
        var text = ""
        @BindableState var isOn = false
    }

    @Test func `a binding action is named by its property`() {
        typealias Binding = BindingAction<Form>
        let action = Binding.set(\.text, "a")
        let (text, isOn): (String?, Bool?) = (action[case: \.text], action[case: \.$isOn])
        #expect(text == "a")
        #expect(isOn == nil)
        #expect(action == AnyCasePath(\Binding.Cases.text).embed("a"))
        let value: Bool? = Binding.set(\.$isOn, true)[case: \.$isOn]
        #expect(value == true)
    }
}

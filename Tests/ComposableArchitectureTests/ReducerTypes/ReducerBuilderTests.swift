import Testing

@testable import ComposableArchitecture

@Suite struct ReducerBuilderTests {
    private struct Counter: ReducerProtocol {
        func reduce(into state: inout Int, action: Int) -> EffectTask<Int> {
            state += action
            return .none
        }
    }

    private func count(@ReducerBuilder<Int, Int> _ build: () -> some ReducerProtocol<Int, Int>) -> Int {
        var state = 0
        _ = build().reduce(into: &state, action: 1)
        return state
    }

    @Test func `a reducer whose type is hidden is listed`() {
        let hidden: any ReducerProtocol<Int, Int> = Counter()
        let state = count {
            Counter()
            hidden
        }
        #expect(state == 2)
    }

    @Test(arguments: [(true, 2), (false, 1)]) func `a condition chooses a reducer`(isMet: Bool, expected: Int) {
        let state = count {
            Counter()
            if isMet { Counter() }
        }
        #expect(state == expected)
    }

    @Test func `a reducer is listed where its platform is available`() {
        let state = count {
            Counter()
            if #available(macOS 9999, *) { Counter() } else if #available(macOS 8888, *) { EmptyReducer() }
        }
        #expect(state == 2)
    }

    @Test func `a missing reducer changes nothing`() {
        var state = 0
        _ = Counter?.none.reduce(into: &state, action: 1)
        #expect(state == 0)
    }
}

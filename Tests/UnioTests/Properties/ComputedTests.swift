import Testing
import Unio

struct ComputedTests {
    @Test func `the closure runs on each access`() {
        var count = 0
        let computed = Computed { () -> Int in
            count += 1
            return count
        }
        #expect([computed.value, computed.value] == [1, 2])
        #expect(Computed(computed).value == 3)
    }

    @Test func `a captured value is constant`() {
        var text = "a"
        let computed = Computed(capture: text)
        text = "b"
        #expect(computed.value == "a")
        #expect(text == "b")
    }
}

import ComposableArchitecture
import ComposableTesting
import Testing

private enum Request {
    @TaskLocal static var id = 0

    // The macro of a suite is expanded before that of the property.
    static var one: TaskLocalTrait<Int> { .taskLocal($id, 1) }
    static var two: TaskLocalTrait<Int> { $id.set(2) }
}

@Suite(Request.one) struct TaskLocalTraitTests {
    @Test func `a test has the value of its suite`() async {
        #expect(Request.id == 1)
        #expect(await Task { Request.id }.value == 1)
    }

    @Test(Request.two) func `a trait of the test replaces the value`() {
        #expect(Request.id == 2)
    }
}

@Suite(.mainSerialExecutor) struct MainSerialExecutorTraitTests {
    @Test func `tasks run in the order in which they were created`() async {
        let numbers = LockIsolated<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask { numbers.withValue { $0.append(number) } }
            }
        }
        #expect(numbers.value == Array(1...100))
    }
}

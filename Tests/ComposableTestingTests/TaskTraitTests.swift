import ComposableArchitecture
import ComposableTesting
import Testing

private enum Request {
    @TaskLocal static var id = 0

    // The macro of a suite is expanded before that of the property.
    static var one: TaskLocalTrait<Int> { .taskLocal($id, 1) }
    static var two: TaskLocalTrait<Int> { $id.set(2) }
}

// `.mainSerialExecutor` is not used here, because it would affect all tests that run at the same time. The tests of
// `withMainSerialExecutor` run it in a process of its own.
@Suite(Request.one) struct TaskLocalTraitTests {
    @Test func `a test has the value of its suite`() async {
        #expect(Request.id == 1)
        #expect(await Task { Request.id }.value == 1)
    }

    @Test(Request.two) func `a trait of the test replaces the value`() {
        #expect(Request.id == 2)
    }
}

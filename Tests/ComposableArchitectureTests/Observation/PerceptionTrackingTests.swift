import Locking
import Observation
import Testing

@testable import ComposableArchitecture

@Suite struct PerceptionTrackingTests {
    @Observable final class Model {
        var count = 0
    }

    @Test func `a change of what was read is reported once`() {
        let model = Model()
        let changes = Lock(0)
        let read = withPerceptionTracking {
            model.count
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        model.count = 1
        model.count = 2
        #expect(read == 0)
        #expect(changes.withLock { $0 } == 1)
    }
}

import ComposableArchitecture
import Locking
import Testing

@Suite struct ObserveTokenTests {
    /// Creates a token that counts the ends of its observation.
    private func token(_ ends: Lock<Int>) -> ObserveToken {
        ObserveToken { ends.withLock { $0 += 1 } }
    }

    @Test func `an observation ends once`() {
        let ends = Lock(0)
        let token = token(ends)
        token.cancel()
        token.cancel()
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `an observation ends with the collection that keeps its token`() {
        let ends = Lock(0)
        var set: Set<ObserveToken> = []
        var list: [ObserveToken] = []
        token(ends).store(in: &set)
        token(ends).store(in: &list)
        #expect(ends.withLock { $0 } == 0)
        set = []
        #expect(ends.withLock { $0 } == 1)
        list = []
        #expect(ends.withLock { $0 } == 2)
    }
}

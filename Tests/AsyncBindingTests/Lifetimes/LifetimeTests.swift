import AsyncBinding
import Synchronization
import Testing

struct LifetimeTests {
    private final class Owner: LifetimeProviding {
        let lifetime = Lifetime()
    }

    @Test func `the end of an object is told`() {
        let ended = AnyDisposable {}
        var owner: Owner? = Owner()
        owner?.lifetime.observeEnded { ended.dispose() }
        #expect(!ended.isDisposed)
        owner = nil
        #expect(ended.isDisposed)
    }

    @Test func `a disposable ends with an object`() {
        let disposable = AnyDisposable {}
        var owner: Owner? = Owner()
        if let lifetime = owner?.lifetime { lifetime += disposable }
        owner = nil
        #expect(disposable.isDisposed)
    }

    @Test func `who does not want to know any more is not told`() {
        let ended = AnyDisposable {}
        var owner: Owner? = Owner()
        let observation = owner?.lifetime.observeEnded { ended.dispose() }
        observation?.dispose()
        owner = nil
        #expect(!ended.isDisposed)
    }
}

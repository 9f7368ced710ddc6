import AsyncBinding
import Synchronization
import Testing

struct LifetimeTests {
    private final class Owner: LifetimeProviding {
        let lifetime = Lifetime()
    }

    @Test func `the end of an object is reported`() {
        let ended = AnyDisposable {}
        var owner: Owner? = Owner()
        owner?.lifetime.observeEnded { ended.dispose() }
        #expect(!ended.isDisposed)
        owner = nil
        #expect(ended.isDisposed)
    }

    @Test func `a disposable is disposed of when the object is deallocated`() {
        let disposable = AnyDisposable {}
        var owner: Owner? = Owner()
        if let lifetime = owner?.lifetime { lifetime += disposable }
        owner = nil
        #expect(disposable.isDisposed)
    }

    @Test func `a removed observer is not notified`() {
        let ended = AnyDisposable {}
        var owner: Owner? = Owner()
        let observation = owner?.lifetime.observeEnded { ended.dispose() }
        observation?.dispose()
        owner = nil
        #expect(!ended.isDisposed)
    }
}

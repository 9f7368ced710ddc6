import Foundation
import Locking
import Testing

@Suite struct ThreadLocalTests {
    final class Token: Sendable {}

    @Test func `a variable is nil initially and then has the value it was set to`() {
        let local = ThreadLocal<Token>()
        #expect(local.value == nil)
        let token = Token()
        local.value = token
        #expect(local.value === token)
        local.value = nil
        #expect(local.value == nil)
    }

    @Test func `every thread has its own value`() {
        let local = ThreadLocal<Token>()
        let mine = Token()
        local.value = mine
        let wrong = Lock(0)
        onThreads(4) { _ in
            let token = Token()
            if local.value != nil { wrong.withLock { $0 += 1 } }
            for _ in 0..<100 {
                local.value = token
                if local.value !== token { wrong.withLock { $0 += 1 } }
            }
            local.value = nil
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(local.value === mine)
        local.value = nil
    }

    @Test func `two variables are independent`() {
        let (one, other) = (ThreadLocal<Token>(), ThreadLocal<Token>())
        let token = Token()
        one.value = token
        #expect(other.value == nil)
        one.value = nil
    }

    @Test func `a variable does not retain its value`() {
        let local = ThreadLocal<Token>()
        weak var watched: Token?
        do {
            let token = Token()
            watched = token
            local.value = token
        }
        // The variable still holds the address of the deallocated object.
        #expect(watched == nil)
        local.value = nil
    }
}

@Suite struct ThreadIdentityTests {
    @Test func `the identity of a thread is constant, and its two lowest bits are clear`() {
        let mine = ThreadIdentity.current
        #expect(mine == ThreadIdentity.current)
        #expect(mine != 0)
        #expect(mine & 3 == 0)
    }

    @Test func `threads that run concurrently have different identities`() {
        let outer = ThreadIdentity.current
        let inner = Lock<[UInt]>([])
        let hasRead = DispatchSemaphore(value: 0)
        let gate = Lock(0)
        // Keep all threads alive until each has read its identity, because identities of finished threads are reused.
        gate.withLock { _ in
            let companions = (0..<4).map { _ in
                Companion {
                    inner.withLock { $0.append(ThreadIdentity.current) }
                    hasRead.signal()
                    gate.withLock { _ in }
                }
            }
            for _ in companions { hasRead.wait() }
        }
        #expect(Set(inner.withLock { $0 } + [outer]).count == 5)
    }
}

import Foundation

/// Runs every second closure on a thread of its own, because a session's loop may have another thread in each turn.
package final class AlternatingThread {
    private var isElsewhere = false

    /// Begins with another thread.
    package init() {}

    /// Runs a closure, and returns when it has ended.
    package func run(_ body: () -> Void) {
        isElsewhere.toggle()
        guard isElsewhere else { return body() }
        withoutActuallyEscaping(body) { body in
            let work = Work(body)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                work.perform()
                done.signal()
            }
            done.wait()
        }
    }

    /// A closure that is released before the caller continues.
    ///
    /// Unchecked because the caller waits while the other thread uses it.
    private final class Work: @unchecked Sendable {
        private var body: (() -> Void)?

        init(_ body: @escaping () -> Void) {
            self.body = body
        }

        func perform() {
            let body = self.body
            self.body = nil
            body?()
        }
    }
}

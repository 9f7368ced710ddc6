import Foundation
import Locking
import Synchronization

/// Settings for errors that no subscriber handles. They apply to the whole process and may be changed from any thread.
public enum Hooks {
    /// A handler that receives the call stack of the subscription and the error. The call stack is empty unless
    /// ``Hooks/recordCallStackOnError`` was set at the time of the subscription.
    public typealias DefaultErrorHandler = (_ subscriptionCallStack: [String], _ error: any Error) -> Void
    /// A closure that returns the call stack of the calling thread.
    public typealias CustomCaptureSubscriptionCallstack = () -> [String]

    private struct Closures {
        var defaultErrorHandler: DefaultErrorHandler = { _, _ in }
        var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack = { Thread.callStackSymbols }
    }

    private static let closures = Lock(Closures())
    /// Separate from the lock, so that a subscription reads only one flag while recording is off.
    private static let recordsCallStack = Atomic(false)

    /// The handler of errors that reach a subscription without an `onError`. It runs on the thread that emits the
    /// error.
    ///
    /// The default handler does nothing. RxSwift's default handler prints in debug builds, but a server must not print
    /// errors that may contain its users' data.
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { closures.withLock { $0.defaultErrorHandler } }
        set { closures.withLock { $0.defaultErrorHandler = newValue } }
    }

    /// The closure that captures the call stack of a subscription if ``recordCallStackOnError`` is set.
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { closures.withLock { $0.customCaptureSubscriptionCallstack } }
        set { closures.withLock { $0.customCaptureSubscriptionCallstack = newValue } }
    }

    /// Whether subscriptions without an `onError` record their call stack for ``defaultErrorHandler``. Recording is
    /// slow and off by default.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    /// Returns the call stack to pass to ``report(_:to:from:)`` for a new subscription with the given `onError`.
    @usableFromInline
    static func callStack(unless onError: ((any Error) -> Void)?) -> [String] {
        guard onError == nil, recordCallStackOnError else { return [] }
        return customCaptureSubscriptionCallstack()
    }

    /// Passes the error to `onError`, or to the default handler if `onError` is nil.
    @usableFromInline
    static func report(_ error: any Error, to onError: ((any Error) -> Void)?, from callStack: [String]) {
        if let onError { onError(error) } else { defaultErrorHandler(callStack, error) }
    }
}

import Foundation
import Locking
import Synchronization

/// What happens to errors that no subscriber handles. The settings apply to the whole process and may be changed from any
/// thread.
public enum Hooks {
    /// Receives the call stack of the subscription, which is empty unless ``Hooks/recordCallStackOnError`` was set when it
    /// was made, and the error.
    public typealias DefaultErrorHandler = (_ subscriptionCallStack: [String], _ error: any Error) -> Void
    /// Returns the call stack of the calling thread.
    public typealias CustomCaptureSubscriptionCallstack = () -> [String]

    private struct Closures {
        var defaultErrorHandler: DefaultErrorHandler = { _, _ in }
        var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack = { Thread.callStackSymbols }
    }

    private static let closures = Lock(Closures())
    /// Beside the lock, so that a subscription reads one flag and no more while nothing is recorded.
    private static let recordsCallStack = Atomic(false)

    /// The handler of errors that reach a subscription without an `onError`. It runs on the thread that sends the error.
    ///
    /// By default it does nothing: RxSwift's prints in debug builds, but a server must not print what may contain values of
    /// its users.
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { closures.withLock { $0.defaultErrorHandler } }
        set { closures.withLock { $0.defaultErrorHandler = newValue } }
    }

    /// The closure that captures the call stack of a subscription if ``recordCallStackOnError`` is set.
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { closures.withLock { $0.customCaptureSubscriptionCallstack } }
        set { closures.withLock { $0.customCaptureSubscriptionCallstack = newValue } }
    }

    /// Whether subscriptions without an `onError` record their call stack for ``defaultErrorHandler``. Recording is slow;
    /// it is off by default.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    /// The call stack that ``report(_:to:from:)`` passes on, for a subscription that is being made with this `onError`.
    @usableFromInline
    static func callStack(unless onError: ((any Error) -> Void)?) -> [String] {
        guard onError == nil, recordCallStackOnError else { return [] }
        return customCaptureSubscriptionCallstack()
    }

    /// Passes the error to `onError`, or to the default handler if there is none.
    @usableFromInline
    static func report(_ error: any Error, to onError: ((any Error) -> Void)?, from callStack: [String]) {
        if let onError { onError(error) } else { defaultErrorHandler(callStack, error) }
    }
}

public import Dispatch
import Glibc

/// The handling of signals on a queue.
public enum SignalHandling {
    /// Calls a closure on a queue whenever a signal arrives, instead of the signal's default action.
    ///
    /// Must not be called on the queue. When this returns, no signal is lost any more.
    ///
    /// - Returns: The source, which the caller keeps and cancels.
    public static func begin(
        _ number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        ignoreByDefault(number)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        let isRegistered = DispatchSemaphore(value: 0)
        source.setEventHandler(handler: handler)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        // The source is registered with the kernel later, on a thread of Dispatch. A signal that arrives before would be
        // ignored: a supervisor that signals as soon as the server is ready would wait forever.
        isRegistered.wait()
        return source
    }

    /// Ignores a signal whose action is the default one, which would end the process until a source is registered.
    static func ignoreByDefault(_ number: Int32) {
        var current = sigaction()
        // Dispatch installs its own action, once per signal for the life of the process. Ignoring the signal then would
        // lose every signal that arrives on a thread that Dispatch does not own.
        guard sigaction(number, nil, &current) == 0, current.__sigaction_handler.sa_handler == nil else { return }
        signal(number, SIG_IGN)
    }
}

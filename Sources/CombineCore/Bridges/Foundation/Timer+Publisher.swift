public import Foundation
import Locking

extension Timer {
    /// Makes a publisher that delivers the date each `interval` once it is connected.
    ///
    /// Connected inside a hosted machine, a timer on the main run loop runs on the session's own scheduler.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// Delivers the date again and again, while it is connected, to everybody who asks.
    ///
    /// A date that a subscriber has not asked for is not delivered later. There is at most one timer: `connect` while
    /// connected returns another token for the same one, and after a cancellation starts a new one. Dropping the token
    /// does not stop the timer, cancelling it does.
    public final class TimerPublisher: ConnectablePublisher {
        /// When the timer fired.
        public typealias Output = Date
        /// A timer cannot fail.
        public typealias Failure = Never

        /// The seconds from one date to the next.
        public final let interval: TimeInterval
        /// By how many seconds a date may be late.
        public final let tolerance: TimeInterval?
        /// What the timer runs on.
        public final let runLoop: RunLoop
        /// The mode of the run loop in which the timer fires.
        public final let mode: RunLoop.Mode
        /// What the run loop is told about the timer.
        public final let options: RunLoop.SchedulerOptions?

        private let dates = PassthroughSubject<Date, Never>()
        private let connection: TimerConnection

        /// Makes the publisher; the timer is started by `connect`.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
            self.options = options
            connection = TimerConnection()
        }

        /// Attaches `subscriber`, which gets dates while this publisher is connected.
        public final func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            dates.receive(subscriber: subscriber)
        }

        /// Starts the timer unless it runs already; the first date comes after one interval.
        public final func connect() -> any Cancellable {
            connection.connect { start() }
        }

        private func start() -> any Cancellable {
            if let substitute = runLoop.substitute {
                let length = Duration(clamping: interval)
                return MainTimer.start(on: substitute, after: length, every: length) { [dates] in
                    dates.send(SubstituteDate.date(at: substitute.now))
                }
            }
            // On Linux a timer is never let go of again, so the subject must be, by the cancellation.
            let tick = Lock<UnsafeTransfer<() -> Void>?>(UnsafeTransfer({ [dates] in dates.send(Date()) }))
            // Without a date the first firing would be at once on Linux.
            let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { timer in
                if timer.isValid { tick.withLock { $0 }?.value() }
            }
            timer.tolerance = tolerance ?? 0
            runLoop.add(timer, forMode: mode)
            return TimerInvalidation(timer: timer, tick: tick)
        }
    }
}

/// Stops a timer when it is cancelled; going away does not.
private struct TimerInvalidation: Cancellable {
    let timer: Timer
    let tick: Lock<UnsafeTransfer<() -> Void>?>

    func cancel() {
        timer.invalidate()
        let former = tick.withLock { tick in
            let former = tick
            tick = nil
            return former
        }
        withExtendedLifetime(former) {}
    }
}

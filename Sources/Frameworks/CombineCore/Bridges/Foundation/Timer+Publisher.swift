public import Foundation
import Locking

extension Timer {
    /// Returns a publisher that delivers the date at each `interval` while it is connected.
    ///
    /// If it is connected inside a hosted machine, a timer on the main run loop uses the scheduler of the session.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// A publisher that repeatedly delivers the date, while it is connected, to all subscribers with demand.
    ///
    /// A date without demand is dropped. There is at most one timer: calling `connect` while connected returns another
    /// token for the same timer, and after a cancellation starts a new one. Cancelling a token stops the timer;
    /// releasing it does not.
    public final class TimerPublisher: ConnectablePublisher {
        /// The date at which the timer fired.
        public typealias Output = Date
        /// A timer cannot fail.
        public typealias Failure = Never

        /// The interval between two dates, in seconds.
        public final let interval: TimeInterval
        /// The number of seconds by which a date may be late.
        public final let tolerance: TimeInterval?
        /// The run loop on which the timer runs.
        public final let runLoop: RunLoop
        /// The mode of the run loop in which the timer fires.
        public final let mode: RunLoop.Mode
        /// The options with which the timer is scheduled.
        public final let options: RunLoop.SchedulerOptions?

        private let dates = PassthroughSubject<Date, Never>(uncaptured: ())
        private let connection: TimerConnection

        /// Creates the publisher. `connect` starts the timer.
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

        /// Attaches `subscriber`, which receives dates while this publisher is connected.
        public final func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            dates.receive(subscriber: subscriber)
        }

        /// Starts the timer unless it is running. The first date is delivered after one interval.
        public final func connect() -> any Cancellable {
            connection.connect { start() }
        }

        private func start() -> any Cancellable {
            // Decided on connection: the thread that connects determines whether the timer belongs to a session.
            if let substitute = runLoop.substitute {
                let length = Duration(clamping: interval)
                return MainTimer.startCaptured(on: substitute, every: length) { [dates] in
                    dates.send(SubstituteDate.presentDate(at: substitute.now))
                }
            }
            // On Linux, Foundation never releases a timer. So the timer reaches the subject through a box, which the
            // cancellation empties.
            let tick = Lock<UnsafeTransfer<() -> Void>?>(UnsafeTransfer({ [dates] in dates.send(Date()) }))
            // With an explicit first date; on Linux the timer would otherwise fire immediately.
            let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { timer in
                if timer.isValid { tick.withLock { $0 }?.value() }
            }
            timer.tolerance = tolerance ?? 0
            runLoop.add(timer, forMode: mode)
            return TimerInvalidation(timer: timer, tick: tick)
        }
    }
}

/// A token that invalidates a timer when it is cancelled, but not when it is deallocated.
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

import Dispatch
import Glibc
import HTTPModel
import Log
import ProcessLifecycle

/// Loads the files of a running server again, when they change and on SIGHUP: certificates and keys.
final class FileReloading {
    private let interval: Duration
    private let log: Log
    private var sources: [any DispatchSourceProtocol] = []

    /// Creates a schedule with the interval at which files are checked for changes.
    init(interval: Duration, log: Log) { (self.interval, self.log) = (interval, log) }

    /// Starts to watch files.
    ///
    /// - Parameters:
    ///   - watches: The files. If there are none, SIGHUP is handled nevertheless, because it would end the process undrained.
    ///   - supervisor: The supervisor to notify of reloads on SIGHUP. If it is `nil`, SIGHUP is not handled, because an
    ///     embedded server must not change the signal handling of its process.
    func begin(_ watches: [FileWatch], onHangUpFor supervisor: Supervisor? = nil) {
        let queue = DispatchQueue(label: "granary.files")
        let hasFiles = !watches.isEmpty
        let watches = Confined(watches)
        if hasFiles { sources.append(timer(on: queue, for: watches)) }
        guard let supervisor else { return }
        let hangUp = SignalHandling.begin(SIGHUP, on: queue) { [log] in
            if !hasFiles { log(.info, "SIGHUP has no effect: the configuration names no files to reload") }
            supervisor.notifyReloading()
            watches.reload()
            supervisor.notify(.ready)
        }
        sources.append(hangUp)
    }

    /// Returns the timer that checks the files for changes.
    private func timer(on queue: DispatchQueue, for watches: Confined) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(interval.wholeMilliseconds)
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { watches.check() }
        timer.activate()
        return timer
    }

    /// Stops watching files.
    func end() {
        for source in sources { source.cancel() }
        sources = []
    }

    /// The watches, which the handlers of one serial queue share.
    ///
    /// Sendable because it is accessed only on that queue.
    private final class Confined: @unchecked Sendable {
        private var watches: [FileWatch]

        init(_ watches: [FileWatch]) { self.watches = watches }

        func check() { for index in watches.indices { watches[index].check() } }

        func reload() { for index in watches.indices { watches[index].reload() } }
    }
}

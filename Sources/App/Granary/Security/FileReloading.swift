import Dispatch
import Glibc
import HTTPModel
import ProcessLifecycle

/// Loads the files of a running server again, when they change and on SIGHUP: certificates and keys.
final class FileReloading {
    private let interval: Duration
    private var sources: [any DispatchSourceProtocol] = []

    /// Creates a schedule with the interval at which files are checked for changes.
    init(interval: Duration) { self.interval = interval }

    /// Starts to watch files.
    ///
    /// - Parameters:
    ///   - watches: The files. Nothing happens if there are none.
    ///   - supervisor: The supervisor to notify of reloads on SIGHUP. If it is `nil`, SIGHUP is not handled, because an
    ///     embedded server must not change the signal handling of its process.
    func begin(_ watches: [FileWatch], onHangUpFor supervisor: Supervisor? = nil) {
        guard !watches.isEmpty else { return }
        let queue = DispatchQueue(label: "granary.files")
        let watches = Confined(watches)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(interval.wholeMilliseconds)
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { watches.check() }
        timer.activate()
        sources.append(timer)
        guard let supervisor else { return }
        let hangUp = SignalHandling.begin(SIGHUP, on: queue) {
            supervisor.notifyReloading()
            watches.reload()
            supervisor.notify(.ready)
        }
        sources.append(hangUp)
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

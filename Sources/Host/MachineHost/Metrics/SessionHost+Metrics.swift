import Locking
package import Telemetry

extension SessionHost {
    /// Adds the metrics of the host as a whole. Callable from any thread.
    package func addMetrics(to snapshot: inout MetricSnapshot) {
        snapshot.set(.streams, to: Double(streamCount))
        snapshot.set(.streamLimit, to: Double(configuration.maxStreams))
        snapshot.set(.sessionLimit, to: Double(configuration.maxSessions))
        snapshot.set(.retained, to: Double(retainedByteCount))
        snapshot.set(.retainedLimit, to: Double(configuration.maxBytes))
    }

    /// Adds the journal to the sources of metrics, if sessions are stored.
    package func addJournal(to registry: MetricsRegistry) {
        guard let journal else { return }
        registry.add("journal") { report in
            journal.executor.execute { report(journal.thread.value.cells.snapshot) }
        }
    }
}

extension SessionHost {
    /// Returns the log-safe name of the session that the path of a target names; nil if it names none.
    package static func logName(ofSessionIn target: String) -> String? { Route(target: target).session?.hash }
}

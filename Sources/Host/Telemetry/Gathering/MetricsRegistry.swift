import Locking

/// Everything of a server that has metrics.
///
/// A source copies its own values on its own thread. So a source that is stuck does not delay the others: its last values are
/// shown, and ``MetricsRegistry/responsive`` says so.
public final class MetricsRegistry: Sendable {
    /// Whether a source has returned its values in time.
    public static let responsive = MetricFamily.gauge(
        "granary_source_responsive", "Whether an event loop or the journal has returned its metrics within a second.",
        labels: "source")

    /// Requests the values of a source. It calls the closure on any thread, or never if the source has ended.
    public typealias Collect = @Sendable (_ report: @escaping @Sendable (MetricSnapshot) -> Void) -> Void

    private struct Source {
        let name: String
        let collect: Collect
        var last = MetricSnapshot()
    }

    // Taken when a server starts and when it is scraped, never to count.
    private let sources = Lock<[Source]>([])
    private let measured: @Sendable (inout MetricSnapshot) -> Void

    /// Creates a registry.
    ///
    /// - Parameter measured: Adds values that are read when somebody asks for them, from any thread.
    public init(measured: @escaping @Sendable (inout MetricSnapshot) -> Void = { _ in }) {
        self.measured = measured
    }

    /// Adds a source, or replaces the one with its name.
    public func add(_ name: String, _ collect: @escaping Collect) {
        sources.withLock { sources in
            let source = Source(name: name, collect: collect)
            if let index = sources.firstIndex(where: { $0.name == name }) {
                sources[index] = source
            } else {
                sources.append(source)
            }
        }
    }

    /// Creates the cells of an event loop and adds them as a source.
    ///
    /// - Parameters:
    ///   - name: The name of the loop.
    ///   - execute: Runs work on the loop.
    ///   - extra: Adds values that only the loop can read; called on the loop.
    public func makeCells(
        _ name: String, execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        extra: @escaping @Sendable (inout MetricSnapshot) -> Void = { _ in }
    ) -> MetricCells {
        let cells = MetricCells()
        let transferred = UnsafeTransfer(cells)
        add(name) { report in
            execute {
                var snapshot = transferred.value.snapshot
                extra(&snapshot)
                report(snapshot)
            }
        }
        return cells
    }

    /// Requests the values of all sources.
    ///
    /// - Parameter reported: Called on any thread with the name of each source whose values have arrived.
    /// - Returns: The names of the sources.
    public func collect(_ reported: @escaping @Sendable (String) -> Void) -> Set<String> {
        let current = sources.withLock { $0.map { ($0.name, $0.collect) } }
        for (name, collect) in current {
            collect { [self] snapshot in
                store(snapshot, of: name)
                reported(name)
            }
        }
        return Set(current.map(\.0))
    }

    private func store(_ snapshot: MetricSnapshot, of name: String) {
        sources.withLock { sources in
            guard let index = sources.firstIndex(where: { $0.name == name }) else { return }
            sources[index].last = snapshot
        }
    }

    /// Returns the sum of the last values of all sources.
    ///
    /// - Parameter missing: The names of the sources that have not returned their values in time.
    public func snapshot(missing: Set<String> = []) -> MetricSnapshot {
        var sum = MetricSnapshot()
        for source in sources.withLock({ $0 }) {
            sum.add(source.last)
            sum.set(MetricsRegistry.responsive, source.name, to: missing.contains(source.name) ? 0 : 1)
        }
        measured(&sum)
        return sum
    }
}

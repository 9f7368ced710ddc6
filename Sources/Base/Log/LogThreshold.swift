import Locking
import Synchronization

/// The level of a log, which can change while the program runs.
final class LogThreshold: Sendable {
    private let index: Atomic<UInt8>

    init(_ level: LogLevel) {
        index = Atomic(LogThreshold.index(of: level))
    }

    /// The lowest level that is logged. Reading it costs as much as reading a number.
    // Relaxed: an event at the time of a change may be logged or not.
    var level: LogLevel {
        get { LogLevel.allCases[Int(index.load(ordering: .relaxed))] }
        set { index.store(LogThreshold.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: LogLevel) -> UInt8 {
        UInt8(truncatingIfNeeded: LogLevel.allCases.firstIndex(of: level) ?? 0)
    }
}

/// The levels of a program's log and its modules. May be used from any thread.
package final class LogLevels: Sendable {
    let threshold: LogThreshold
    private let modules = Lock<[String: LogThreshold]>([:])

    init(_ level: LogLevel) {
        threshold = LogThreshold(level)
    }

    /// Returns the level of a module, which begins with that of the log.
    func threshold(of module: String) -> LogThreshold {
        modules.withLock { modules in
            if let known = modules[module] { return known }
            let made = LogThreshold(threshold.level)
            modules[module] = made
            return made
        }
    }

    /// The level of what belongs to no module.
    package var level: LogLevel { threshold.level }

    /// The level of each module, by name.
    package var levels: [String: LogLevel] { modules.withLock { $0.mapValues(\.level) } }

    /// Sets the level of a module.
    ///
    /// - Returns: Whether there is such a module.
    package func set(_ level: LogLevel, of module: String) -> Bool {
        modules.withLock { modules in
            guard let threshold = modules[module] else { return false }
            threshold.level = level
            return true
        }
    }

    /// Sets the level of all modules, and of what belongs to none.
    package func set(_ level: LogLevel) {
        modules.withLock { modules in
            for module in modules.values { module.level = level }
            threshold.level = level
        }
    }
}

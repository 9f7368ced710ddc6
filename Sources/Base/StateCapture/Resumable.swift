/// A machine, or a store of a machine, that knows the version of its captured state and acts after it was restored.
public protocol Resumable: AnyObject {
    /// The version of the captured state. Raise it when a member is removed, renamed or changes its type: the server
    /// refuses to start otherwise.
    static var version: Int { get }

    /// For each older version, what turns its state into one of the next version.
    ///
    /// ```swift
    /// static let migrations: [Int: StateMigration] = [1: { state in state.move("store.count", to: "store.total") }]
    /// ```
    static var migrations: [Int: StateMigration] { get }

    /// Called once after the machine was restored, as a turn of its session: the place to clear a spinner or to ask
    /// again.
    ///
    /// - Parameter interrupted: The work that was in progress and could not be captured, as far as it is known.
    func resumed(_ interrupted: [InterruptedWork])
}

extension Resumable {
    /// The first version.
    public static var version: Int { 1 }

    /// No migrations.
    public static var migrations: [Int: StateMigration] { [:] }

    /// Does nothing.
    public func resumed(_ interrupted: [InterruptedWork]) {}
}

/// Work that was in progress when a machine was captured, and that does not continue by itself.
public struct InterruptedWork: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The name of the work: the id of an effect as text, or `effect` for one without an id.
    public let name: String

    /// Creates a description of interrupted work.
    public init(name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }
}

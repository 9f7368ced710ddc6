import Locking

/// The test library whose test is running.
public enum TestContext: Equatable, Sendable {
    /// Swift Testing, with the running test if it is known.
    case swiftTesting(Testing?)
    /// XCTest.
    case xcTest

    /// The running test of Swift Testing.
    public struct Testing: Equatable, Sendable {
        /// The test.
        public let test: Test

        /// A test of Swift Testing.
        public struct Test: Hashable, Identifiable, Sendable {
            /// The identity of the test.
            public let id: ID

            /// The identity of a test.
            public struct ID: Hashable, Sendable {
                // The type is unknown here, but the ids that Swift Testing gives tests can be sent.
                private let transfer: UnsafeTransfer<AnyHashable>

                /// The id that Swift Testing gives the test.
                public var rawValue: AnyHashable { transfer.value }

                fileprivate init(_ rawValue: AnyHashable) {
                    transfer = UnsafeTransfer(rawValue)
                }

                /// Returns whether both ids are of the same test.
                public static func == (first: ID, second: ID) -> Bool { first.rawValue == second.rawValue }

                /// Hashes the id.
                public func hash(into hasher: inout Hasher) {
                    hasher.combine(rawValue)
                }
            }
        }
    }

    @TaskLocal private static var chosen: Testing?

    /// The context of the calling code; nil in a process that runs no tests.
    ///
    /// It is ``swiftTesting(_:)`` in a task of such a test, and otherwise ``xcTest``.
    public static var current: TestContext? {
        guard isTesting else { return nil }
        if let chosen { return .swiftTesting(chosen) }
        return RunningTest.id.map { .swiftTesting(Testing(id: $0)) } ?? .xcTest
    }

    /// Whether the library is Swift Testing.
    public var isSwiftTesting: Bool {
        if case .swiftTesting = self { true } else { false }
    }

    /// Calls `operation` as a part of the test with an identity, for code that runs before the test does, such as a trait.
    public static func withTestID<ID: Hashable & Sendable, Result>(
        _ id: ID, operation: () throws -> Result
    ) rethrows -> Result {
        try $chosen.withValue(Testing(id: AnyHashable(id)), operation: operation)
    }
}

extension TestContext.Testing {
    fileprivate init(id: AnyHashable) {
        test = Test(id: Test.ID(id))
    }
}

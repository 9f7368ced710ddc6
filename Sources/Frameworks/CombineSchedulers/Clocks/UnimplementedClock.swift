import IssueReporting

/// A clock that fails the test that uses it, for code that must not depend on time.
///
/// It reports an issue, and then does what another clock does.
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock {
    /// A time on the clock.
    public typealias Instant = AnyClock<Duration>.Instant

    private let base: AnyClock<Duration>
    private let name: String
    private let file: StaticString
    private let line: UInt

    /// Creates a clock that reports each use.
    ///
    /// - Parameters:
    ///   - base: The clock that is used after the issue was reported.
    ///   - name: The name of the clock in the messages.
    ///   - file: The file that issues are reported for.
    ///   - line: The line that issues are reported for.
    public init<C: Clock>(_ base: C, name: String = "", file: StaticString = #fileID, line: UInt = #line)
    where C.Duration == Duration {
        self.base = AnyClock(base)
        self.name = name
        self.file = file
        self.line = line
    }

    /// Reports an issue, and returns the time of the other clock.
    public var now: Instant {
        report("its time was read")
        return base.now
    }

    /// Reports an issue, and returns the resolution of the other clock.
    public var minimumResolution: Duration {
        report("its resolution was read")
        return base.minimumResolution
    }

    /// Reports an issue, and sleeps on the other clock.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        report("a task slept on it")
        try await base.sleep(until: deadline, tolerance: tolerance)
    }

    private func report(_ use: String) {
        let clock = name.isEmpty ? "a clock" : "the clock \"\(name)\""
        FoundIssue(
            message: "\(clock) is not implemented, but \(use): override it in the test", file: file, line: line
        ).report()
    }
}

extension UnimplementedClock where Duration == Swift.Duration {
    /// Creates a clock that reports each use, and on which no sleep takes time.
    public init(name: String = "", file: StaticString = #fileID, line: UInt = #line) {
        self.init(ImmediateClock(), name: name, file: file, line: line)
    }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
    /// A clock that reports each use.
    public static var unimplemented: Self { UnimplementedClock() }

    /// Returns a clock that reports each use.
    ///
    /// - Parameters:
    ///   - name: The name of the clock in the messages.
    ///   - file: The file that issues are reported for.
    ///   - line: The line that issues are reported for.
    public static func unimplemented(name: String, file: StaticString = #fileID, line: UInt = #line) -> Self {
        UnimplementedClock(name: name, file: file, line: line)
    }
}

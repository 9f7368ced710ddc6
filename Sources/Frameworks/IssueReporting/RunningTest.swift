import Glibc

/// The running test of this process, in either test library.
///
/// Neither library is linked, because the tested module is the one that runs in production. Their functions are looked
/// up by symbol name. The names are fixed by the libraries' stable interfaces, and are found only in a process that has
/// loaded a test library.
package enum RunningTest {
    /// Whether the process has loaded a test library.
    package static let isInProcess =
        address(of: SwiftTesting.currentTest) != nil || address(of: XCTest.failure) != nil

    /// The identity of the running test; nil if the calling task belongs to none, or to one of XCTest.
    package static var id: AnyHashable? { isInProcess ? SwiftTesting.id : nil }

    /// Fails the test. Returns false if there is no test, or if its library cannot be called.
    package static func fail(_ issue: FoundIssue) -> Bool {
        guard isInProcess else { return false }
        if SwiftTesting.isRunning { return SwiftTesting.fail(issue) }
        return XCTest.fail(issue)
    }

    /// Runs code in which the running test expects an issue, however it is recorded. Returns false, without running the code, if the
    /// test library cannot expect issues.
    package static func expectIssue(_ expected: ExpectedIssue, in body: () throws -> Void) -> Bool {
        guard isInProcess, SwiftTesting.isRunning else { return false }
        return SwiftTesting.expectIssue(expected, in: body)
    }

    /// Runs asynchronous code in which the running test expects an issue, however it is recorded. Returns false, without running the
    /// code, if the test library cannot expect issues.
    package static func expectIssue(
        _ expected: ExpectedIssue, isolation: isolated (any Actor)?, in body: () async throws -> Void
    ) async -> Bool {
        guard isInProcess, SwiftTesting.isRunning else { return false }
        return await SwiftTesting.expectIssue(expected, isolation: isolation, in: body)
    }

    static func address(of symbol: String) -> UnsafeMutableRawPointer? {
        dlsym(UnsafeMutableRawPointer(bitPattern: 0), symbol)
    }
}

/// A Swift function that was found by its symbol, in the layout of a closure: an address and no context.
struct FoundFunction {
    let address: UnsafeMutableRawPointer
    let context: UnsafeRawPointer? = nil

    init?(_ symbol: String) {
        guard let address = RunningTest.address(of: symbol) else { return nil }
        self.address = address
    }

    /// Returns the function as the only property of a structure. A closure that is passed as a generic value would use
    /// another calling convention; stored in a property it keeps its own.
    func callable<Holder>(as type: Holder.Type) -> Holder {
        precondition(
            MemoryLayout<Holder>.size == MemoryLayout<FoundFunction>.size, "Expected \(type) to hold one function")
        return unsafeBitCast(self, to: type)
    }
}

enum XCTest {
    private struct Failure {
        let record: (String, StaticString, UInt) -> Void
    }

    /// `XCTFail(_:file:line:)`.
    static let failure = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"

    static func fail(_ issue: FoundIssue) -> Bool {
        guard let function = FoundFunction(failure) else { return false }
        function.callable(as: Failure.self).record(issue.message, issue.place.filePath, issue.place.line)
        return true
    }
}

/// Whether this process runs tests, of Swift Testing or of XCTest.
public var isTesting: Bool { RunningTest.isInProcess }

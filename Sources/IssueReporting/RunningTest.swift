import Glibc

/// The running test of this process, in either test library.
///
/// Neither library is linked, because the tested module is the one that runs in production. Their functions are looked
/// up by symbol name. The names are fixed by the libraries' stable interfaces, and are found only in a process that has
/// loaded a test library.
package enum RunningTest {
    /// Fails the test. Returns false if there is no test, or if its library cannot be called.
    package static func fail(_ issue: FoundIssue) -> Bool {
        if SwiftTesting.isRunning { return SwiftTesting.fail(issue) }
        return XCTest.fail(issue)
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

private enum XCTest {
    private struct Failure {
        let record: (String, StaticString, UInt) -> Void
    }

    /// `XCTFail(_:file:line:)`.
    static func fail(_ issue: FoundIssue) -> Bool {
        guard let function = FoundFunction("$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF") else { return false }
        function.callable(as: Failure.self).record(issue.message, issue.file, issue.line)
        return true
    }
}

private enum SwiftTesting {
    // The types of the test library are unknown at compile time. Generic parameters stand in for them, and are bound at
    // run time by opening the metatypes that the symbol lookup returns.
    private struct Current<Test> {
        let get: () -> Test?
    }

    private struct Place<Location> {
        let make: (consuming String, consuming String, Int, Int) -> Location
    }

    private struct Recording<Issue, Comment, Location> {
        let record: (any Error, Comment?, Location) -> Issue
    }

    /// The error that is recorded as an issue.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether `Test.current` is not nil.
    static var isRunning: Bool {
        guard let test = type(named: "Test"), let function = FoundFunction("$s7Testing4TestV7currentACSgvgZ")
        else { return false }
        func isRunning<Test>(_ type: Test.Type) -> Bool {
            function.callable(as: Current<Test>.self).get() != nil
        }
        return _openExistential(test, do: isRunning)
    }

    /// `Issue.record(_:_:sourceLocation:)` with an error.
    static func fail(_ issue: FoundIssue) -> Bool {
        guard let issueType = type(named: "Issue"), let commentType = type(named: "Comment"),
            let locationType = type(named: "SourceLocation"),
            let place = FoundFunction("$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC"),
            let recording = FoundFunction(
                "$s7Testing5IssueV6record__14sourceLocationACs5Error_p_AA7CommentVSgAA06SourceE0VtFZ")
        else { return false }
        func withIssue<Issue>(_: Issue.Type) {
            func withComment<Comment>(_: Comment.Type) {
                func withLocation<Location>(_: Location.Type) {
                    let location = place.callable(as: Place<Location>.self)
                        .make(fileID(of: issue.file), "\(issue.file)", Int(issue.line), 1)
                    _ = recording.callable(as: Recording<Issue, Comment, Location>.self)
                        .record(Failure(description: issue.message), nil, location)
                }
                _openExistential(locationType, do: withLocation)
            }
            _openExistential(commentType, do: withComment)
        }
        _openExistential(issueType, do: withIssue)
        return true
    }

    /// Returns an id of the form `Module/File.swift`. The library traps on any other form.
    private static func fileID(of file: StaticString) -> String {
        let text = "\(file)"
        let parts = text.split(separator: "/")
        return parts.count == 2 ? text : "Tests/\(parts.last ?? "Unknown.swift")"
    }

    private static func type(named name: String) -> (any Any.Type)? {
        _typeByName("7Testing\(name.utf8.count)\(name)V")
    }
}

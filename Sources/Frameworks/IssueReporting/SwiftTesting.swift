/// Swift Testing, if the process has loaded it.
enum SwiftTesting {
    // The types of the test library are unknown at compile time. Generic parameters stand in for them, and are bound at
    // run time by opening the metatypes that the symbol lookup returns.
    private struct Current<Test> {
        let get: () -> Test?
    }

    private struct Place<Location> {
        let make: (consuming String, consuming String, Int, Int) -> Location
    }

    private struct Remark<Comment> {
        let make: (consuming String) -> Comment
    }

    private struct Recording<Issue, Comment, Location> {
        let record: (Comment?, Location) -> Issue
    }

    private struct ErrorRecording<Issue, Comment, Location> {
        let record: (any Error, Comment?, Location) -> Issue
    }

    private struct Expectation<Comment, Location> {
        let run: (Comment?, Bool, Location, () throws -> Void) -> Void
    }

    private struct AsyncExpectation<Comment, Location> {
        let run: (Comment?, Bool, isolated (any Actor)?, Location, () async throws -> Void) async -> Void
    }

    /// `Test.current`.
    static let currentTest = "$s7Testing4TestV7currentACSgvgZ"

    /// Whether `Test.current` is not nil.
    static var isRunning: Bool {
        guard let test = type(named: "Test"), let function = FoundFunction(currentTest) else { return false }
        func isRunning<Test>(_ type: Test.Type) -> Bool {
            function.callable(as: Current<Test>.self).get() != nil
        }
        return _openExistential(test, do: isRunning)
    }

    /// The id of `Test.current`.
    static var id: AnyHashable? {
        guard let test = type(named: "Test"), let function = FoundFunction(currentTest) else { return nil }
        func erased<Known: Identifiable>(_ test: Known) -> AnyHashable { AnyHashable(test.id) }
        func id<Test>(_ type: Test.Type) -> AnyHashable? {
            let current = function.callable(as: Current<Test>.self).get()
            return (current as? any Identifiable).map { erased($0) }
        }
        return _openExistential(test, do: id)
    }

    /// `Issue.record(_:sourceLocation:)`, or `Issue.record(_:_:sourceLocation:)` with an error.
    static func fail(_ issue: FoundIssue) -> Bool {
        guard let parts = Parts(), let issueType = type(named: "Issue"),
            let recording = FoundFunction(
                issue.error == nil
                    ? "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ"
                    : "$s7Testing5IssueV6record__14sourceLocationACs5Error_p_AA7CommentVSgAA06SourceE0VtFZ")
        else { return false }
        func withIssue<Issue>(_: Issue.Type) {
            func withComment<Comment>(_: Comment.Type) {
                func withLocation<Location>(_: Location.Type) {
                    let (comment, location) = (
                        parts.comment(issue.comment, as: Comment.self), parts.location(issue.place, as: Location.self)
                    )
                    if let error = issue.error {
                        _ = recording.callable(as: ErrorRecording<Issue, Comment, Location>.self)
                            .record(error, comment, location)
                    } else {
                        _ = recording.callable(as: Recording<Issue, Comment, Location>.self).record(comment, location)
                    }
                }
                _openExistential(parts.locationType, do: withLocation)
            }
            _openExistential(parts.commentType, do: withComment)
        }
        _openExistential(issueType, do: withIssue)
        return true
    }

    /// `withKnownIssue(_:isIntermittent:sourceLocation:_:)`. Returns false if it is not found.
    static func expectIssue(_ expected: ExpectedIssue, in body: () throws -> Void) -> Bool {
        guard let parts = Parts(),
            let function = FoundFunction(
                "$s7Testing14withKnownIssue_14isIntermittent14sourceLocation_yAA7CommentVSg_SbAA06SourceH0VyyKXEtF")
        else { return false }
        func withTypes<Comment, Location>(_: Comment.Type, _: Location.Type) {
            function.callable(as: Expectation<Comment, Location>.self).run(
                parts.comment(expected.comment, as: Comment.self), expected.isIntermittent,
                parts.location(expected.place, as: Location.self), body)
        }
        withTypes(parts.commentType, parts.locationType)
        return true
    }

    /// `withKnownIssue(_:isIntermittent:isolation:sourceLocation:_:)`. Returns false if it is not found.
    static func expectIssue(
        _ expected: ExpectedIssue, isolation: isolated (any Actor)?, in body: () async throws -> Void
    ) async -> Bool {
        // The symbol of the function's descriptor, which a value of an asynchronous function refers to.
        guard let parts = Parts(),
            let function = FoundFunction(
                "$s7Testing14withKnownIssue_14isIntermittent9isolation14sourceLocation_yAA7CommentVSg_SbScA_pSgYiAA06SourceI0V"
                    + "yyYaKXEtYaFTu")
        else { return false }
        func withTypes<Comment, Location>(
            _: Comment.Type, _: Location.Type, isolation: isolated (any Actor)?
        ) async {
            await function.callable(as: AsyncExpectation<Comment, Location>.self).run(
                parts.comment(expected.comment, as: Comment.self), expected.isIntermittent, isolation,
                parts.location(expected.place, as: Location.self), body)
        }
        await withTypes(parts.commentType, parts.locationType, isolation: isolation)
        return true
    }

    /// The types of the values that describe an issue, and the functions that create them.
    private struct Parts {
        let commentType: any Any.Type
        let locationType: any Any.Type
        private let remark: FoundFunction
        private let place: FoundFunction

        /// Returns nil if the library has other ones.
        init?() {
            guard let commentType = type(named: "Comment"), let locationType = type(named: "SourceLocation"),
                let remark = FoundFunction("$s7Testing7CommentV8rawValueACSS_tcfC"),
                let place = FoundFunction("$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC")
            else { return nil }
            (self.commentType, self.locationType) = (commentType, locationType)
            (self.remark, self.place) = (remark, place)
        }

        func comment<Comment>(_ text: String?, as type: Comment.Type) -> Comment? {
            text.map { remark.callable(as: Remark<Comment>.self).make($0) }
        }

        func location<Location>(_ found: IssuePlace, as type: Location.Type) -> Location {
            place.callable(as: Place<Location>.self)
                .make(fileID(of: found.fileID), "\(found.filePath)", Int(found.line), Int(found.column))
        }
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

import IssueReporting
import Locking

/// Calls `body`, which is expected to report an issue or to throw an error. Reports one itself if that does not happen.
///
/// In Swift Testing, the issue is a known one of the running test, also if it is recorded with the library's own functions. XCTest
/// cannot expect failures on this platform: there, issues that are reported as with ``reportIssue(_:fileID:filePath:line:column:)`` are
/// expected, and failed assertions still fail the test.
///
/// - Parameters:
///   - message: The reason, for developers.
///   - isIntermittent: Whether it is no failure if no issue is reported.
///   - fileID: The file of the expectation.
///   - filePath: The path of the file.
///   - line: The line of the expectation.
///   - column: The column of the expectation.
///   - body: The code.
public func withExpectedIssue(
    _ message: String? = nil, isIntermittent: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Void
) {
    let place = IssuePlace.chosen ?? IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = ExpectedIssue(comment: message, isIntermittent: isIntermittent, place: place)
    // A handler receives issues instead of the test, so the test would miss the expected one.
    if Issues.installed == nil, RunningTest.expectIssue(expected, in: body) { return }
    let watch = IssueWatch()
    withIssueHandler(watch.note) {
        do {
            try body()
        } catch {
            watch.note(ReportedIssue(FoundIssue(comment: message, error: error, place: place)))
        }
    }
    watch.finish(expected)
}

/// Calls `body`, which is expected to report an issue or to throw an error. Reports one itself if that does not happen.
///
/// In Swift Testing, the issue is a known one of the running test, also if it is recorded with the library's own functions. XCTest
/// cannot expect failures on this platform: there, issues that are reported as with ``reportIssue(_:fileID:filePath:line:column:)`` are
/// expected, and failed assertions still fail the test.
///
/// - Parameters:
///   - message: The reason, for developers.
///   - isIntermittent: Whether it is no failure if no issue is reported.
///   - fileID: The file of the expectation.
///   - filePath: The path of the file.
///   - line: The line of the expectation.
///   - column: The column of the expectation.
///   - isolation: The actor of the caller, on which the code runs.
///   - body: The code.
public func withExpectedIssue(
    _ message: String? = nil, isIntermittent: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async {
    let place = IssuePlace.chosen ?? IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = ExpectedIssue(comment: message, isIntermittent: isIntermittent, place: place)
    if Issues.installed == nil, await RunningTest.expectIssue(expected, isolation: isolation, in: body) { return }
    let watch = IssueWatch()
    await withIssueHandler(watch.note) {
        do {
            try await body()
        } catch {
            watch.note(ReportedIssue(FoundIssue(comment: message, error: error, place: place)))
        }
    }
    watch.finish(expected)
}

/// Notes whether an expected issue has been reported.
private final class IssueWatch: Sendable {
    private let hasReport = Lock(false)

    var note: @Sendable (ReportedIssue) -> Void {
        { [self] issue in
            hasReport.withLock { $0 = true }
            if !isTesting { issue.found.deliverExpected() }
        }
    }

    /// Reports that no issue has been reported, unless that is expected too.
    func finish(_ expected: ExpectedIssue) {
        guard !expected.isIntermittent, !hasReport.withLock({ $0 }) else { return }
        let comment = "Known issue was not recorded" + (expected.comment.map { ": \($0)" } ?? "")
        Issues.report(ReportedIssue(FoundIssue(comment: comment, place: expected.place)))
    }
}

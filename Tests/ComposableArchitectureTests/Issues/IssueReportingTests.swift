import IssueReporting
import Locking
import Testing

@testable import ComposableArchitecture

private struct Failure: Error, Equatable {}

/// A reporter that notes what it receives.
private final class Notes: IssueReporter {
    private let state = Lock<[String]>([])

    var texts: [String] { state.withLock { $0 } }

    func reportIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
        let text = "\(line): \(message() ?? "nothing")"
        state.withLock { $0.append(text) }
    }

    func expectIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
        let text = "\(line) expected: \(message() ?? "nothing")"
        state.withLock { $0.append(text) }
    }
}

@Suite struct ReportedIssueTests {
    @Test func `a reported issue is one of the running test`() {
        #expect(isTesting)
        withKnownIssue {
            reportIssue("too late")
        } matching: { issue in
            issue.error == nil && issue.comments.map(\.rawValue) == ["too late"]
                && issue.sourceLocation?.fileID.hasSuffix("IssueReportingTests.swift") == true
        }
        withKnownIssue {
            reportIssue()
        } matching: {
            $0.comments.isEmpty
        }
    }

    @Test func `a reported error is the error of the test's issue`() {
        withKnownIssue {
            reportIssue(Failure(), "while loading")
        } matching: { issue in
            issue.error is Failure && issue.comments.map(\.rawValue) == ["while loading"]
        }
    }

    @Test func `a handler gets the message of an error, and its type as the summary`() {
        let found = LockIsolated<[ReportedIssue]>([])
        withIssueHandler { issue in
            found.withValue { $0.append(issue) }
        } body: {
            reportIssue(Failure(), "while loading")
        }
        #expect(found.value.map(\.message) == ["Caught error: Failure(): while loading"])
        #expect(found.value.map(\.summary) == ["caught an error of type Failure: while loading"])
    }

    @Test func `issues are attributed to the place that the context names`() async {
        let lines = LockIsolated<[UInt]>([])
        let note = { @Sendable (issue: ReportedIssue) in lines.withValue { $0.append(issue.line) } }
        withIssueHandler(note) {
            withIssueContext(fileID: "Tests/File.swift", filePath: "/Tests/File.swift", line: 7, column: 3) {
                reportIssue("a")
                reportIssue(Failure())
            }
        }
        await withIssueHandler(note) {
            await withIssueContext(fileID: "Tests/File.swift", filePath: "/Tests/File.swift", line: 8, column: 3) {
                await Task.yield()
                reportIssue("a")
            }
        }
        #expect(lines.value == [7, 7, 8])
    }

    @Test func `an error is reported instead of a result`() async {
        let found = await issues {
            #expect(withErrorReporting { 1 } == 1)
            #expect(withErrorReporting("reading") { () throws -> Int in throw Failure() } == nil)
            let two = await withErrorReporting { () async in 2 }
            #expect(two == 2)
            let none = await withErrorReporting(to: []) { () async throws -> Int in throw Failure() }
            #expect(none == nil)
        }
        #expect(found == ["Caught error: Failure(): reading", "Caught error: Failure()"])
    }
}

@Suite struct IssueReporterTests {
    @Test func `a reporter of messages gets errors too`() {
        let notes = Notes()
        notes.reportIssue(Failure(), "reading", fileID: #fileID, filePath: #filePath, line: 4, column: 1)
        notes.expectIssue(Failure(), nil, fileID: #fileID, filePath: #filePath, line: 5, column: 1)
        #expect(notes.texts == ["4: Caught error: Failure(): reading", "5 expected: Caught error: Failure()"])
    }

    @Test func `reporters are replaced for an operation`() async {
        let notes = Notes()
        #expect(IssueReporters.current.count == 1)
        withIssueReporters([notes]) {
            #expect(IssueReporters.current.first as? Notes === notes)
            IssueReporters.current.append(.fatalError)
            #expect(IssueReporters.current.count == 2)
        }
        await withIssueReporters([]) {
            await Task.yield()
            #expect(IssueReporters.current.isEmpty)
        }
        #expect(IssueReporters.current.first is StandardErrorReporter)
    }

    @Test func `expected issues reach the reporters`() {
        let notes = Notes()
        withIssueReporters([notes]) {
            FoundIssue(message: "a", file: #fileID, line: 1).deliverExpected()
            FoundIssue(comment: nil, error: Failure(), place: IssuePlace(fileID: #fileID, line: 2)).deliverExpected()
        }
        #expect(notes.texts == ["1 expected: a", "2 expected: Caught error: Failure()"])
    }

    @Test func `an issue does not reach reporters while a test runs`() {
        let notes = Notes()
        withKnownIssue { withIssueReporters([notes]) { reportIssue("a") } }
        #expect(notes.texts.isEmpty)
    }
}

@Suite struct ExpectedIssueTests {
    @Test func `an expected issue does not fail the test`() async {
        withExpectedIssue { reportIssue("a") }
        withExpectedIssue { throw Failure() }
        withExpectedIssue { Issue.record("b") }
        withExpectedIssue(isIntermittent: true) {}
        await withExpectedIssue {
            await Task.yield()
            reportIssue("a")
        }
        await withExpectedIssue { () async throws in throw Failure() }
        await withExpectedIssue(isIntermittent: true) { await Task.yield() }
    }

    @Test func `an expected issue that is not reported fails the test`() async {
        withKnownIssue {
            withExpectedIssue("why") {}
        } matching: {
            $0.description.contains("Known issue was not recorded") && $0.description.contains("why")
        }
        await withKnownIssue {
            await withExpectedIssue { await Task.yield() }
        } matching: {
            $0.description.contains("Known issue was not recorded")
        }
    }

    @Test func `an expected issue does not reach the handler`() async {
        let found = await issues {
            withExpectedIssue { reportIssue("a") }
            withExpectedIssue { throw Failure() }
            withExpectedIssue(isIntermittent: true) {}
            withExpectedIssue("why") {}
            await withExpectedIssue { () async throws in throw Failure() }
            await withExpectedIssue { await Task.yield() }
        }
        #expect(found == ["Known issue was not recorded: why", "Known issue was not recorded"])
    }
}

@Suite struct UnimplementedFunctionTests {
    private struct Client: Sendable {
        let line = UInt(#line + 1)
        var load: @Sendable (Int, String) -> Int = unimplemented("load", placeholder: 42)
        var save: @Sendable () -> Void = unimplemented()
        var check: @Sendable (Int) throws -> Int = unimplemented("check")
        var send: @Sendable (Int) async -> String = unimplemented(placeholder: "none")
        var fetch: @Sendable () async throws -> Int = unimplemented("fetch")
        var close: @Sendable () throws(Failure) -> Void = unimplemented("close", throwing: Failure())
        var open: @Sendable () async throws(Failure) -> Int = unimplemented("open", throwing: Failure())
    }

    @Test func `a call of each function is reported`() async {
        let client = Client()
        let found = await issues {
            #expect(client.load(1, "a") == 42)
            client.save()
            #expect(throws: UnimplementedFailure.self) { try client.check(3) }
            #expect(await client.send(4) == "none")
            await #expect(throws: UnimplementedFailure.self) { try await client.fetch() }
            #expect(throws: Failure()) { try client.close() }
            await #expect(throws: Failure()) { try await client.open() }
        }
        #expect(found.count == 7)
        #expect(
            found.first == """
                Unimplemented: load …

                  Defined in 'Client' at:
                    ComposableArchitectureTests/IssueReportingTests.swift:\(client.line)

                  Invoked with:
                    (1, "a")
                """)
    }

    @Test func `a summary has no arguments`() {
        let summaries = LockIsolated<[String]>([])
        withIssueHandler { issue in
            summaries.withValue { $0.append(issue.summary) }
        } body: {
            _ = Client().load(1, "secret")
        }
        #expect(summaries.value.count == 1)
        #expect(!summaries.value.contains { $0.contains("secret") })
    }

    @Test func `a value can be unimplemented`() {
        let found = issues {
            let value: Int? = unimplemented("number", placeholder: nil)
            #expect(value == nil)
        }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Unimplemented: number …") == true)
        #expect(found.first?.contains("Invoked with") == false)
    }
}

@Suite struct TestContextTests {
    @Test func `the context of a test of Swift Testing has the id of the test`() throws {
        let context = try #require(TestContext.current)
        #expect(context.isSwiftTesting)
        guard case .swiftTesting(let testing?) = context else {
            Issue.record("Expected a test, got \(context)")
            return
        }
        #expect(testing.test.id.rawValue == Test.current.map { AnyHashable($0.id) })
    }

    @Test func `code that belongs to no test of Swift Testing has the context of XCTest`() async {
        let context = await Task.detached { TestContext.current }.value
        #expect(context == .xcTest)
        #expect(context?.isSwiftTesting == false)
    }

    @Test func `code can belong to a test that has not begun`() async {
        let found = await Task.detached {
            TestContext.withTestID("later") { TestContext.current }
        }.value
        guard case .swiftTesting(let testing?) = found else {
            Issue.record("Expected a test, got \(String(describing: found))")
            return
        }
        #expect(testing.test.id.rawValue == AnyHashable("later"))
    }
}

import Dispatch
import HTTPModel
import HTTPServer
import Locking
import Testing

@testable import Granary

struct SiteContentsTests {
    private static let made = ["/": StaticContent(Array("text".utf8), contentType: "text/plain")]

    @Test func `the first caller does not wait for the thread that prepares the contents`() {
        let (began, mayEnd, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let calls = Lock(0)
        let contents = SiteContents {
            let isFirst = calls.withLock { calls in
                calls += 1
                return calls == 1
            }
            guard isFirst else { return SiteContentsTests.made }
            began.signal()
            mayEnd.wait()
            defer { ended.signal() }
            return SiteContentsTests.made
        }
        contents.prepare()
        began.wait()
        #expect(contents.paths == ["/"])
        mayEnd.signal()
        ended.wait()
        #expect(contents.paths == ["/"])
        #expect(calls.withLock { $0 } == 2)
    }

    @Test func `contents are made once when they are needed first`() {
        let calls = Lock(0)
        let contents = SiteContents {
            calls.withLock { $0 += 1 }
            return SiteContentsTests.made
        }
        #expect(contents.paths == ["/"])
        #expect(contents.paths == ["/"])
        #expect(calls.withLock { $0 } == 1)
    }
}

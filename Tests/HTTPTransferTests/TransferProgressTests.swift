import Foundation
import Testing

@testable import HTTPTransfer

@Suite struct TransferProgressTests {
    private let start = ContinuousClock.now
    private let url: URL

    init() throws { url = try #require(URL(string: "https://a.example/b/c")) }

    private func progress(
        method: String = "GET", idleTimeout: Duration? = nil, totalTimeout: Duration? = nil, maxBytes: Int = 10,
        followsRedirect: @escaping @Sendable (URL) -> Bool = { _ in true }
    ) -> TransferProgress {
        TransferProgress(
            TransferRequest(
                url, method: method, idleTimeout: idleTimeout, totalTimeout: totalTimeout, maxBytes: maxBytes,
                followsRedirect: followsRedirect), at: start)
    }

    @Test func `a head and its content are delivered`() {
        var progress = progress()
        #expect(progress.lineArrived(byteCount: 20, at: start) == .proceed)
        #expect(progress.headEnded(status: 103, location: nil) == .proceed)
        #expect(progress.headEnded(status: 200, location: nil) == .deliver)
        #expect(progress.bytesArrived(4, at: start) == .deliver)
        #expect(progress.bytesArrived(6, at: start) == .deliver)
        // The end of a trailer.
        #expect(progress.headEnded(status: 200, location: nil) == .proceed)
        #expect(progress.ended(with: nil) == .finish)
    }

    @Test func `one byte over the limit stops the transfer, whatever libcurl reports then`() {
        var progress = progress()
        _ = progress.headEnded(status: 200, location: nil)
        #expect(progress.bytesArrived(10, at: start) == .deliver)
        #expect(progress.bytesArrived(1, at: start) == .stop(.tooLarge(limit: 10)))
        #expect(progress.ended(with: .cutOff(hasHead: false, "write error")) == .fail(.tooLarge(limit: 10)))
    }

    @Test func `the bytes of all heads before a response are limited together`() {
        var progress = progress()
        for _ in 1...2 {
            #expect(progress.lineArrived(byteCount: TransferProgress.maxHeadBytes / 2, at: start) == .proceed)
            #expect(progress.headEnded(status: 103, location: nil) == .proceed)
        }
        let failure = TransferFailure.tooLarge(limit: TransferProgress.maxHeadBytes)
        #expect(progress.lineArrived(byteCount: 1, at: start) == .stop(failure))
    }

    @Test func `an exchange without a head is a failure even if libcurl reports success`() {
        var progress = progress()
        _ = progress.lineArrived(byteCount: 20, at: start)
        #expect(progress.ended(with: nil) == .fail(.cutOff(hasHead: false, "the head is incomplete")))
    }

    @Test func `content before a head is not HTTP`() {
        var progress = progress()
        #expect(progress.bytesArrived(1, at: start) == .stop(.notHTTP("content without a head")))
    }

    @Test func `a connection that closes is reported with what arrived before`() {
        var progress = progress()
        #expect(progress.ended(with: .cutOff(hasHead: false, "a")) == .fail(.cutOff(hasHead: false, "a")))
        _ = progress.headEnded(status: 200, location: nil)
        #expect(progress.ended(with: .cutOff(hasHead: false, "a")) == .fail(.cutOff(hasHead: true, "a")))
        #expect(progress.ended(with: .unreachable("b")) == .fail(.unreachable("b")))
    }

    @Test func `a redirect is not delivered, and its target is resolved against the latest URL`() throws {
        var progress = progress()
        for (location, target) in [
            ("../d", "https://a.example/d"), ("e?f", "https://a.example/e?f"), ("//g.example", "https://g.example"),
        ] {
            #expect(progress.headEnded(status: 302, location: location) == .proceed)
            #expect(progress.bytesArrived(10, at: start) == .proceed)
            #expect(progress.ended(with: nil) == .follow(try #require(URL(string: target))))
        }
        #expect(progress.headEnded(status: 200, location: nil) == .deliver)
        #expect(progress.bytesArrived(10, at: start) == .deliver)
    }

    @Test(arguments: [
        (200, "/", "GET"), (304, "/", "GET"), (302, nil, "GET"), (302, "/", "POST"), (302, "ftp://a.example/", "GET"),
        (302, "file:///etc/passwd", "GET"), (302, "https://user@a.example/", "GET"),
        (302, "https://:b@a.example/", "GET"),
        (302, "https://", "GET"), (302, "", "GET"),
    ])
    func `other responses are delivered`(status: Int, location: String?, method: String) {
        var progress = progress(method: method)
        #expect(progress.headEnded(status: status, location: location) == .deliver)
    }

    @Test func `a redirect that the request refuses is delivered, and so is one too many`() {
        var careful = progress { $0.host() == "a.example" }
        #expect(careful.headEnded(status: 301, location: "https://b.example/") == .deliver)
        var progress = progress()
        for _ in 1...TransferClient.maxRedirects {
            #expect(progress.headEnded(status: 307, location: "/") == .proceed)
            _ = progress.ended(with: nil)
        }
        #expect(progress.headEnded(status: 307, location: "/") == .deliver)
    }

    @Test func `each arrival postpones the idle timeout, and nothing the total one`() {
        var progress = progress(idleTimeout: .seconds(10), totalTimeout: .seconds(15))
        #expect(progress.deadline == start + .seconds(10))
        _ = progress.lineArrived(byteCount: 1, at: start + .seconds(3))
        #expect(progress.deadline == start + .seconds(13))
        _ = progress.headEnded(status: 200, location: nil)
        _ = progress.bytesArrived(1, at: start + .seconds(4))
        #expect(progress.deadline == start + .seconds(14))
        _ = progress.bytesArrived(1, at: start + .seconds(9))
        #expect(progress.deadline == start + .seconds(15))
        #expect(self.progress().deadline == nil)
    }
}

import Foundation

/// The state of one request in flight, which determines the action after each event.
struct TransferProgress {
    /// The action that an event requires.
    enum Action: Equatable {
        /// Nothing.
        case proceed
        /// Pass the head or the bytes on.
        case deliver
        /// Stop the transfer for this reason.
        case stop(TransferFailure)
    }

    enum Outcome: Equatable {
        case finish
        case fail(TransferFailure)
        /// Send the request to this URL.
        case follow(URL)
    }

    private enum Stage: Equatable {
        case head
        case redirect(URL)
        case content
    }

    /// The largest sum of all heads and trailers of an exchange, in bytes.
    static let maxHeadBytes = 256 << 10

    private let request: TransferRequest
    private let end: ContinuousClock.Instant?
    private var idleEnd: ContinuousClock.Instant?
    private var url: URL
    private var stage = Stage.head
    private var headBytes = 0
    private var contentBytes = 0
    private var redirects = 0
    private var failure: TransferFailure?

    init(_ request: TransferRequest, at now: ContinuousClock.Instant) {
        self.request = request
        url = request.url
        end = request.totalTimeout.map { now + $0 }
        idleEnd = request.idleTimeout.map { now + $0 }
    }

    /// The time at which the transfer fails unless something arrives before.
    var deadline: ContinuousClock.Instant? { [end, idleEnd].compactMap(\.self).min() }

    /// Handles a line of a head or a trailer.
    mutating func lineArrived(byteCount: Int, at now: ContinuousClock.Instant) -> Action {
        extendIdleTime(at: now)
        headBytes += byteCount
        return headBytes <= Self.maxHeadBytes ? .proceed : stop(.tooLarge(limit: Self.maxHeadBytes))
    }

    /// Handles the empty line after a head or a trailer.
    mutating func headEnded(status: Int, location: String?) -> Action {
        // A trailer follows the content, and heads with statuses of 100 to 199 precede the response (RFC 9110 §15.2).
        guard stage == .head, status >= 200 else { return .proceed }
        if let target = redirectTarget(status, location) {
            stage = .redirect(target)
            return .proceed
        }
        stage = .content
        return .deliver
    }

    /// Handles a part of the content.
    mutating func bytesArrived(_ count: Int, at now: ContinuousClock.Instant) -> Action {
        extendIdleTime(at: now)
        guard stage != .head else { return stop(.notHTTP("content without a head")) }
        guard count <= request.maxBytes - contentBytes else { return stop(.tooLarge(limit: request.maxBytes)) }
        contentBytes += count
        return stage == .content ? .deliver : .proceed
    }

    /// Handles the end of an exchange, with the failure that libcurl reports. It has no failure if a connection closes within the head.
    mutating func ended(with reported: TransferFailure?) -> Outcome {
        switch (failure ?? reported, stage) {
        case (.cutOff(_, let text), _): return .fail(.cutOff(hasHead: stage != .head, text))
        case (let failure?, _): return .fail(failure)
        case (nil, .head): return .fail(.cutOff(hasHead: false, "the head is incomplete"))
        case (nil, .content): return .finish
        case (nil, .redirect(let target)):
            (url, stage, headBytes, contentBytes) = (target, .head, 0, 0)
            return .follow(target)
        }
    }

    private mutating func stop(_ reason: TransferFailure) -> Action {
        failure = reason
        return .stop(reason)
    }

    private mutating func extendIdleTime(at now: ContinuousClock.Instant) {
        idleEnd = request.idleTimeout.map { now + $0 }
    }

    private mutating func redirectTarget(_ status: Int, _ location: String?) -> URL? {
        guard [301, 302, 303, 307, 308].contains(status), ["GET", "HEAD"].contains(request.method),
            redirects < TransferClient.maxRedirects, let location,
            let target = URL(string: location, relativeTo: url)?.absoluteURL,
            // A user in the URL would become a field.
            target.isOnTheWeb, target.user == nil, target.password == nil, request.followsRedirect(target)
        else { return nil }
        redirects += 1
        return target
    }
}

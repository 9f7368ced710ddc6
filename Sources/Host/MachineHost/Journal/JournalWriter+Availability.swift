import HTTPModel
import Locking
import Synchronization

// A journal that is elsewhere, and may be unavailable for some time.
extension JournalWriter {
    /// Notes whether the journal performs calls. While it does not, what would have to be stored or loaded is refused, and the clients that
    /// wait for it get 503. What has been added stays: it is stored as soon as the journal is available again. May be called on any thread.
    public func noteAvailability(_ isAvailable: Bool) {
        guard isUnavailable.exchange(!isAvailable, ordering: .acquiringAndReleasing) == isAvailable, !isAvailable else {
            return
        }
        for loop in loops.withLock({ $0 }) { loop.listener.journalIsUnavailable() }
    }

    /// Whether calls of the journal take longer than clients should wait.
    var lacksEngine: Bool { isUnavailable.load(ordering: .acquiring) }

    /// Why nothing more is accepted that would have to be stored; nil if it is.
    var refusal: ProblemDetails? { lacksSpace ? .diskFull : lacksEngine ? .journalUnavailable : nil }
}

extension SessionShard {
    /// Responds to the requests that wait for the journal. Those whose turns wait to be stored learn that their outcome is unknown.
    func journalIsUnavailable() {
        loop.assertCurrent()
        while let promise = journal?.takeWaitingResponse() {
            guard let response = promise.held else { continue }
            promise.fulfil(ProblemDetails.outcomeUnknown.response(inPlaceOf: response))
        }
        for waiting in pending.takeThoseForJournal() { respond(to: waiting, with: ProblemDetails.journalUnavailable) }
    }
}

extension ProblemDetails {
    /// The response with the fields of another one by which browsers decide who may read it.
    func response(inPlaceOf former: HTTPResponse) -> HTTPResponse {
        var response = response
        former.fields.forEach { name, value in
            let text = String(decoding: name, as: UTF8.self).lowercased()
            guard text.hasPrefix("access-control-") || text == "vary" else { return }
            response.fields.append(checkedName: name, checkedValue: value)
        }
        return response
    }
}

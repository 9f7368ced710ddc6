import HTTPModel

/// Answers for the site itself and leaves every other request to the responder behind it.
final class SiteResponder: HTTPResponder {
    private let site: Site
    private let next: any HTTPResponder

    init(site: Site, next: any HTTPResponder) {
        self.site = site
        self.next = next
    }

    func placement(of request: HTTPRequest) -> Int? {
        next.placement(of: request)
    }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        if let response = site.response(to: request) { return .response(response) }
        return next.respond(to: request)
    }

    func drain() {
        next.drain()
    }
}

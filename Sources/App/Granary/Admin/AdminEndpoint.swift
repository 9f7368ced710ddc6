import Access
import HTTPModel
import Locking

/// Responds to requests for the admin interface and the inspector on the listeners for operators. One per loop, confined to it.
final class AdminEndpoint {
    private let interface: AdminInterface
    private let inspector: Inspector
    private let hosts: AdminHosts
    private let operators: OperatorAccess
    private let loop: any EventLoop

    init(
        _ interface: AdminInterface, _ inspector: Inspector, hosts: AdminHosts, operators: OperatorAccess,
        on loop: any EventLoop
    ) {
        (self.interface, self.inspector, self.hosts) = (interface, inspector, hosts)
        (self.operators, self.loop) = (operators, loop)
    }

    /// Returns the answer to a request for the interface or the page; nil for other paths.
    func answer(to request: HTTPRequest) -> HTTPAnswer? {
        if AdminRequest.isAdmin(request.path) {
            do throws(ProblemDetails) {
                return try perform(request)
            } catch {
                return .response(error.response)
            }
        }
        // The page has no content of its own, so that a browser can show it before its user has entered a key.
        guard let response = inspector.response(to: request) else { return nil }
        return .response(response)
    }

    private func perform(_ request: HTTPRequest) throws(ProblemDetails) -> HTTPAnswer {
        let operating = try operators.identify(request)
        if operating.isAmbient, !hosts.accepts(request.authority) { throw AdminHosts.refusal(of: request.authority) }
        let admin = try AdminRequest(request)
        if admin.operation.changesSomething,
            let problem = CrossSiteCheck.problem(
                of: request, isAmbient: operating.isAmbient, policy: AdminEndpoint.noOrigins)
        {
            throw problem
        }
        let promise = UnsafeTransfer(DeferredResponse())
        interface.perform(admin, by: operating, recordedBy: operators) { [loop] response in
            let response = UnsafeTransfer(response)
            loop.execute { promise.value.fulfil(response.value) }
        }
        return .deferred(promise.value)
    }

    private static let noOrigins = CORSPolicy([], usesCookies: false)
}

import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import Granary

struct RequestRouteTests {
    private static let id = "AAAAAAAAAAAAAAAAAAAAAA"

    @Test(
        arguments: [
            ("/v1/machines", .machines), ("/v1/machines?x", .machines), ("/v1/machines/counter", .machine),
            ("/v1/machines/a/b", .other), ("/v1/sessions", .sessions), ("/v1/sessions/", .other),
            ("/v1/sessions/\(id)", .session), ("/v1/sessions/\(id)?view=all", .session),
            ("/v1/sessions/\(id)/inputs", .inputs), ("/v1/sessions/\(id)/inputs/increment", .input),
            ("/v1/sessions/\(id)/inputs/a/b", .other), ("/v1/sessions/\(id)/inputs/", .other),
            ("/v1/sessions/\(id)/outputs?outputs=a", .outputs), ("/v1/sessions/\(id)/tickets", .tickets),
            ("/v1/sessions/\(id)/stream?offset=-1", .stream), ("/v1/sessions/\(id)/streams", .other),
            ("/v1/sessions/\(id)/other", .other), ("/v1/sessionsx", .other),
            ("/v1/outputs?session=x", .combinedOutputs),
            ("/health/live", .health), ("/metrics", .metrics), ("/metrics?x=1", .metrics), ("/metricsx", .other),
            ("/", .other), ("*", .other), ("", .other), ("/v1/\"\n{}", .other),
        ] as [(String, RequestRoute)])
    func `a target has a route of a fixed set`(_ target: String, _ route: RequestRoute) {
        #expect(RequestRoute(target: target) == route)
    }

    @Test(
        arguments: [
            "/v1/machines?x", "/v1/machines/counter", "/v1/machines/a/b", "/v1/sessions", "/v1/sessions/",
            "/v1/sessions/x", "/v1/sessions/\(id)?view=all", "/v1/sessions/\(id)/inputs",
            "/v1/sessions/\(id)/inputs/increment",
            "/v1/sessions/\(id)/inputs/a/b", "/v1/sessions/\(id)/outputs?outputs=a", "/v1/sessions/\(id)/tickets",
            "/v1/sessions/\(id)/stream?offset=now",
            "/v1/sessions/\(id)/other", "/v1/outputs?session=x", "/health/live", "/health/ready", "/health/other",
            "/openapi.json", "/metrics", "/", "*",
        ])
    func `a resource of the host has the route of its target`(_ target: String) throws {
        let shard = try SessionHost([]).makeShard(on: VirtualEventLoop())
        var named: RoutedResource?
        _ = shard.respond(to: HTTPRequest(method: .get, target: target), at: &named)
        guard let resource = named else { return }
        #expect(RequestRoute(resource) == RequestRoute(target: target))
    }

    @Test func `templates are different and contain no quotes`() {
        let templates = RequestRoute.allCases.map(\.template)
        #expect(Set(templates).count == templates.count)
        #expect(templates.allSatisfy { !$0.contains("\"") && !$0.contains("\\") })
    }
}

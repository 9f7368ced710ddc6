import Contract
import MachineHost
import Testing

@testable import Granary

struct DescribedProblemTests {
    @Test func `the OpenAPI document names exactly the problems of clients that have a page`() {
        let described = OpenAPIProblems.kinds.flatMap { status, kinds in kinds.map { "\(status) \($0)" } }
        let forOperators = Set(ProblemExplanation.operators.map(\.kind))
        let explained = ProblemExplanation.all.filter { !forOperators.contains($0.kind) }
            .map { "\($0.status) \($0.kind)" }
        #expect(Set(described) == Set(explained))
        #expect(described.count == Set(described).count)
    }

    @Test func `the description of the machines can be turned off`() throws {
        var configuration = Configuration()
        #expect(try configuration.host().document != nil)
        configuration.servesDocs = false
        #expect(try configuration.host().document == nil)
    }
}

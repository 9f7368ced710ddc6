import Combine
import MachineTesting
import Testing

@Test func `a search continues in another process`() throws {
    let search = try citySearch { text in Just(["\(text)burg"]).eraseToAnyPublisher() }
    try assertResumable(search, choosing: ["text \"a\"", "text \"b\"", .wait(.milliseconds(200))])
}

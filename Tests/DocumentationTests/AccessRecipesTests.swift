import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Granary

/// Runs the recipes of `Docs/access.md`: each configuration with a server of its own, and the requests below it, in order.
@Suite struct AccessRecipesTests {
    @Test func `every recipe works as the document shows`() async throws {
        let recipes = try AccessRecipe.all()
        #expect(recipes.count >= 5)
        for recipe in recipes {
            #expect(!recipe.exchanges.isEmpty, "line \(recipe.line)")
            try await RecipeRun(recipe).perform()
        }
    }
}

/// A configuration of the document, and the requests below it.
private struct AccessRecipe {
    struct Exchange {
        var request: [Substring]
        var response: [Substring]
        var line: Int
    }

    var configuration: String
    var exchanges: [Exchange] = []
    var line: Int

    static func all() throws -> [AccessRecipe] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Docs/access.md")
        let lines = try String(contentsOf: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        var recipes: [AccessRecipe] = []
        var start = 0
        while let opening = lines[start...].firstIndex(where: { $0 == "```http" || $0 == "```json5" }) {
            let end = try #require(lines[(opening + 1)...].firstIndex(of: "```"))
            let block = lines[(opening + 1)..<end]
            if lines[opening] == "```json5" {
                recipes.append(AccessRecipe(configuration: block.joined(separator: "\n"), line: opening + 1))
            } else {
                let status = try #require(block.firstIndex { $0.hasPrefix("HTTP/1.1 ") })
                let exchange = Exchange(
                    request: Array(block[..<status].dropLast()), response: Array(block[status...]), line: opening + 1)
                try #require(!recipes.isEmpty)
                recipes[recipes.count - 1].exchanges.append(exchange)
            }
            start = end + 1
        }
        return recipes
    }
}

/// A server with the configuration of a recipe, and the values that stand for the words in angle brackets.
private final class RecipeRun {
    // Signed with the key of RFC 8037, appendix A, which `publicKey` verifies.
    private static let header = "eyJhbGciOiJFZERTQSIsImtpZCI6ImEifQ"
    private static let tokens = [
        "token-of-ada":
            "\(header).eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJncmFuYXJ5Iiwic3ViIjoiYWRhIiwiZXhwIjo0MTAyNDQ0ODAwfQ."
            + "62VOa_lOYjd7eJEDQAurihqFDRut48iZ_nSAObBggK4n5JG3qnPenpc3KGO3n9ssxPQ_wtwviWeNo1hlnSTFDw",
        "token-of-bob":
            "\(header).eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJncmFuYXJ5Iiwic3ViIjoiYm9iIiwiZXhwIjo0MTAyNDQ0ODAwfQ."
            + "Y3xuGakGybwGeaOUMnUiK0uiCWi0zKAfYC5PgtEWarPIT051qLDlILx0bxiu_Yt0mJY35PpoJ0iYEEQUpDhGCQ",
        "expired-token-of-ada":
            "\(header).eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJncmFuYXJ5Iiwic3ViIjoiYWRhIiwiZXhwIjoxMDAwMDAwMDAwfQ."
            + "DJDsAU4bc_xYntUR2F_RAgpPIJMFES1eLmyrXJ3HhGaJjW-hoONFOTbM0AJ3PTQcsiqixrnJWDkXY-evXwm1DQ",
    ]
    private static let publicKey =
        #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"a"}"#

    private let recipe: AccessRecipe
    private let folder = "/tmp/granary-recipes-\(UUID().uuidString)"
    private let server: Server
    private var values = RecipeRun.tokens

    init(_ recipe: AccessRecipe) throws {
        self.recipe = recipe
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("{\"keys\":[\(RecipeRun.publicKey)]}".utf8).write(to: URL(filePath: "\(folder)/id.example.json"))
        var key = ""
        let keys = KeysRun(path: "\(folder)/api.keys") {
            key = $0
        } printError: {
            Issue.record("\($0)")
        }
        #expect(keys.run(.new("reports")) == 0)
        values["key-of-reports"] = key
        let file = ConfigurationFile(
            path: "access.md", content: recipe.configuration.replacing("/etc/granary", with: folder))
        var configuration = try ConfigurationLoader.load(.standard, file: file, environment: [:], flags: [])
        (configuration.server.port, configuration.server.loopCount) = (0, 1)
        configuration.server.extendTimeouts()
        // The recipe with the program's own authentication configures nothing else.
        let access = configuration.access
        let hasOwn = access.requiresPrincipal && !AccessPlan(configuration).hasMethods
        server = Server(
            configuration: configuration,
            authenticator: hasOwn ? applicationSession(["s1": "ada", "s2": "bob"]) : nil,
            machines: [try thermostat(), try guessing()])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func perform() async throws {
        try server.start()
        do {
            for exchange in recipe.exchanges { try check(exchange) }
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }

    private func check(_ exchange: AccessRecipe.Exchange) throws {
        let client = try HTTPTestClient(port: try #require(server.port))
        defer { client.close() }
        let (fields, body) = split(exchange.request.dropFirst())
        let content = real(body)
        var text = "\(real(String(exchange.request[0]))) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { text += "\(name): \(real(value))\r\n" }
        if !content.isEmpty { text += "Content-Length: \(content.utf8.count)\r\n" }
        try client.send("\(text)\r\n\(content)")
        let response = try client.receiveResponse()
        let (expected, shown) = split(exchange.response.dropFirst())
        let line = exchange.line
        #expect(
            exchange.response[0].hasPrefix("HTTP/1.1 \(response.status) "),
            "line \(line): got \(response.status) \(response.text)")
        for (name, value) in expected {
            let found = response.fields.value(try #require(HTTPFieldName(name))) ?? ""
            #expect(try matches(found, value), "line \(line): \(name): \(found)")
        }
        #expect(try matches(response.text, shown), "line \(line): \(response.text)")
    }

    /// Returns whether a text of the server is what the document shows, and learns the words that are new.
    private func matches(_ text: String, _ shown: String) throws -> Bool {
        var pattern = NSRegularExpression.escapedPattern(for: real(shown)).replacing("…", with: "[\\s\\S]*")
        var names: [String] = []
        while let word = pattern.firstMatch(of: /<([a-z-]+)>/) {
            names.append(String(word.1))
            pattern.replaceSubrange(word.range, with: "([A-Za-z0-9_-]+)")
        }
        guard let match = try Regex(pattern).wholeMatch(in: text) else { return false }
        for (index, name) in names.enumerated() { values[name] = match.output[index + 1].substring.map(String.init) }
        return true
    }

    /// A text of the document with the values of the server.
    private func real(_ text: String) -> String {
        values.reduce(text) { $0.replacing("<\($1.key)>", with: $1.value) }
    }

    /// The fields and the content of a message without its first line.
    private func split(_ lines: ArraySlice<Substring>) -> (fields: [(String, String)], body: String) {
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        let fields = lines[..<end].map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        return (fields, lines[end...].dropFirst().joined(separator: "\n"))
    }
}

import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import MachineHost
import StateCapture
import Testing

@testable import Granary

/// The admin interface of a running server with stored sessions.
@Suite struct AdminInterfaceTests {
    /// Runs a test with a server, which is stopped in any case.
    private func withServer(
        _ machines: [MachineDefinition] = [OperatedServer.machine()], replay: ReplayProcess? = nil,
        configure: (inout Configuration) -> Void = { _ in }, _ body: (OperatedServer) async throws -> Void
    ) async throws {
        let server = try await OperatedServer(machines, replay: replay, configure: configure)
        do { try await body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func `a session is found by the id of its client, and its ids are part of no response`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            let stored = try server.stored(id)
            let list = try server.admin("GET", "/admin/v1/sessions")
            #expect(list.status == 200)
            #expect(list.json["sessions"]?.elements.map { $0["id"] } == [.string(stored)])
            #expect(list.json["sessions"]?.elements.first?["state"] == "live")
            #expect(list.json["next"] == .null)
            let session = try server.admin("GET", "/admin/v1/sessions/\(stored.prefix(12))?values=shown")
            #expect(session.status == 200)
            #expect(!(list.text + session.text).contains(id))
            #expect(session.fields.value(.cacheControl) == "no-store")
        }
    }

    @Test func `values are hidden until they are revealed, which the log records`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            try server.say("private", in: id)
            let stored = try server.stored(id)
            for path in ["", "/turns", "/versions/1"] {
                let hidden = try server.admin("GET", "/admin/v1/sessions/\(stored)\(path)")
                #expect(hidden.status == 200)
                #expect(!hidden.text.contains("private"), "\(path)")
                #expect(hidden.text.contains("\"name\":\"text\""), "\(path)")
            }
            #expect(!server.logged.withLock { $0 }.contains("reveal"))
            for path in ["", "/turns", "/versions/1"] {
                let shown = try server.admin("GET", "/admin/v1/sessions/\(stored)\(path)?values=shown")
                #expect(shown.text.contains("private"), "\(path)")
            }
            let log = server.logged.withLock { $0 }
            for what in ["reveal session", "reveal turns", "reveal version"] {
                #expect(log.contains("audit: operator action=text(\"\(what)\")"))
            }
            #expect(log.contains(String(stored.prefix(12))))
            #expect(!log.contains("private") && !log.contains(id))
        }
    }

    @Test func `what a machine marks as sensitive is never shown`() async throws {
        try await withServer([OperatedServer.machine(secrets: ["token", "login"])]) { server in
            let id = try server.makeSession()
            try server.say("hunter2", in: id, input: "login")
            try server.say("hello", in: id)
            let stored = try server.stored(id)
            for path in ["", "/turns", "/versions/2"] {
                let shown = try server.admin("GET", "/admin/v1/sessions/\(stored)\(path)?values=shown")
                #expect(shown.text.contains("hello"), "\(path)")
                #expect(!shown.text.contains("hunter2"), "\(path)")
                #expect(shown.text.contains("\"concealed\":true"), "\(path)")
            }
            let compared = try server.admin(
                "GET", "/admin/v1/comparison?left=\(stored)&leftVersion=0&values=shown")
            #expect(compared.text.contains("hello") && !compared.text.contains("hunter2"))
        }
    }

    @Test func `the timeline has each turn with its cause and what it changed`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            for text in ["a", "b", "c"] { try server.say(text, in: id) }
            let stored = try server.stored(id)
            let answer = try server.admin("GET", "/admin/v1/sessions/\(stored)/turns?values=shown")
            let turns = answer.json["turns"]?.elements ?? []
            #expect(turns.map { $0["version"] } == [1, 2, 3])
            #expect(turns[1]["trigger"]?["name"] == "say")
            #expect(turns[1]["trigger"]?["value"] == "b")
            #expect(turns[1]["changes"]?.elements.first?["former"] == "a")
            #expect(turns[1]["changes"]?.elements.first?["value"] == "b")
            #expect(answer.json["beginsAt"] == 0 && answer.json["total"] == 3 && answer.json["next"] == .null)
            let number = try #require(turns[0]["number"]).json
            let rest = try server.admin(
                "GET",
                "/admin/v1/sessions/\(stored)/turns?after=\(String(decoding: number, as: UTF8.self))&limit=1")
            #expect(rest.json["turns"]?.elements.map { $0["version"] } == [2])
            #expect(rest.json["next"] == rest.json["turns"]?.elements.first?["number"])
            let latest = try server.admin("GET", "/admin/v1/sessions/\(stored)/turns?latest=true&limit=2")
            #expect(latest.json["turns"]?.elements.map { $0["version"] } == [2, 3])
        }
    }

    @Test func `a fork begins at a version, takes inputs of operators, and differs from then on`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            for text in ["a", "b", "c"] { try server.say(text, in: id) }
            let stored = try server.stored(id)
            let fork = try server.admin("POST", "/admin/v1/sessions/\(stored)/forks", "{\"version\":1}")
            #expect(fork.status == 201)
            let created = try #require(fork.json["id"]?.text)
            #expect(fork.fields.value(.location) == "/admin/v1/sessions/\(created)")
            let sent = try server.admin("POST", "/admin/v1/sessions/\(created)/inputs/say", "\"new\"")
            #expect(sent.status == 200, "\(sent.text)")
            #expect(sent.json["version"] == 2 && sent.json["changed"] == ["text"])
            let compared = try server.admin(
                "GET", "/admin/v1/comparison?left=\(stored)&right=\(created)&values=shown")
            #expect(compared.json["outputs"] == [["name": "text", "left": "c", "right": "new"]])
            let original = try server.send(.public, "GET", "/v1/sessions/\(id)")
            #expect(original.json["outputs"]?["text"] == "c")
            let missing = try server.admin("POST", "/admin/v1/sessions/\(stored)/forks", "{\"version\":9}")
            #expect(missing.status == 404)
        }
    }

    @Test func `an input that does not fit is refused, and changes nothing`() async throws {
        try await withServer { server in
            let stored = try server.stored(try server.makeSession())
            let unknown = try server.admin("POST", "/admin/v1/sessions/\(stored)/inputs/shout", "1")
            #expect(unknown.status == 404 && unknown.text.contains("\\\"say\\\""))
            let broken = try server.admin("POST", "/admin/v1/sessions/\(stored)/inputs/say", "{")
            #expect(broken.status == 400)
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)").json["version"] == 0)
        }
    }

    @Test func `a session ends for its clients, and only its end is left`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            let stored = try server.stored(id)
            #expect(try server.admin("DELETE", "/admin/v1/sessions/\(stored)").status == 204)
            #expect(try server.send(.public, "GET", "/v1/sessions/\(id)").status == 410)
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)").json["state"] == "ended")
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)/turns").status == 410)
            #expect(try server.admin("DELETE", "/admin/v1/sessions/\(String(repeating: "0", count: 32))").status == 404)
        }
    }

    @Test func `a session that has ended is imported again, while others go on`() async throws {
        try await withServer { server in
            let (id, other) = (try server.makeSession(), try server.makeSession())
            try server.say("here", in: id)
            let stored = try server.stored(id)
            let before = try server.send(.public, "GET", "/v1/sessions/\(id)/outputs")
            let file = try server.admin("GET", "/admin/v1/sessions/\(stored)/export").text
            #expect(throws: ArchiveError.exists(stored)) { try server.importSession(file) }
            #expect(try server.admin("DELETE", "/admin/v1/sessions/\(stored)").status == 204)
            #expect(try server.send(.public, "GET", "/v1/sessions/\(id)").status == 410)
            for hostile in ["", file.replacing(/"usedAt":\d+/, with: "\"usedAt\":-9223372036854775808")] {
                #expect(throws: ArchiveError.self) { try server.importSession(hostile) }
            }
            try server.importSession(file)
            #expect(try server.send(.public, "GET", "/v1/sessions/\(id)/outputs").text == before.text)
            try server.say("again", in: id)
            try server.say("there", in: other)
            // It ends again, and is remembered again.
            #expect(try server.admin("DELETE", "/admin/v1/sessions/\(stored)").status == 204)
            #expect(try server.send(.public, "GET", "/v1/sessions/\(id)").status == 410)
        }
    }

    @Test func `a session that is in memory only has its outputs and recent changes`() async throws {
        var machine = OperatedServer.machine("volatile")
        machine.captureObstacles = nil
        try await withServer([OperatedServer.machine(), machine]) { server in
            let id = try server.makeSession("volatile")
            _ = try server.makeSession()
            try server.say("here", in: id)
            let stored = try server.stored(id)
            let list = try server.admin("GET", "/admin/v1/sessions")
            #expect(list.json["sessions"]?.elements.count == 2)
            let session = try server.admin("GET", "/admin/v1/sessions/\(stored)?values=shown")
            #expect(session.json["durability"] == "memory")
            #expect(session.text.contains("here"))
            let turns = try server.admin("GET", "/admin/v1/sessions/\(stored)/turns")
            #expect(turns.json["isStored"] == false && turns.json["turns"]?.elements.count == 1)
            let sent = try server.admin("POST", "/admin/v1/sessions/\(stored)/inputs/say", "\"there\"")
            #expect(sent.json["version"] == 2)
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)/export").status == 404)
            #expect(try server.admin("DELETE", "/admin/v1/sessions/\(stored)").status == 204)
            #expect(try server.send(.public, "GET", "/v1/sessions/\(id)").status == 410)
        }
    }

    @Test func `lists are filtered and continue where a page ends`() async throws {
        try await withServer([OperatedServer.machine(), OperatedServer.machine("other")]) { server in
            for _ in 0..<5 { _ = try server.makeSession() }
            let other = try server.stored(try server.makeSession("other"))
            var (ids, after): ([String], String) = ([], "")
            for _ in 0..<6 {
                let page = try server.admin("GET", "/admin/v1/sessions?limit=2\(after)").json
                ids += (page["sessions"]?.elements ?? []).compactMap { $0["id"]?.text }
                guard let next = page["next"]?.text else { break }
                after = "&after=\(next)"
            }
            #expect(ids.count == 6 && ids == ids.sorted() && Set(ids).count == 6)
            func found(_ query: String) throws -> [String] {
                let answer = try server.admin("GET", "/admin/v1/sessions?\(query)")
                #expect(answer.status == 200, "\(query)")
                return (answer.json["sessions"]?.elements ?? []).compactMap { $0["id"]?.text }
            }
            #expect(try found("machine=other") == [other])
            #expect(try found("id=\(other.prefix(9))") == [other])
            #expect(try found("state=dormant") == [] && found("state=live").count == 6)
            #expect(try found("olderThan=3600") == [] && found("youngerThan=3600").count == 6)
            #expect(try found("principal=0011223344556677") == [])
            let log = try #require(try server.admin("GET", "/admin/v1/sessions/\(other)").json["log"]?.text)
            #expect(try found("log=\(log)").first == other)
        }
    }

    @Test(arguments: [
        ("GET", "/admin/v1/sessions?state=asleep"), ("GET", "/admin/v1/sessions?limit=0"),
        ("GET", "/admin/v1/sessions?limit=501"), ("GET", "/admin/v1/sessions?color=red"),
        ("GET", "/admin/v1/sessions?limit=1&limit=2"), ("GET", "/admin/v1/sessions?id=xyz"),
        ("GET", "/admin/v1/sessions?after=x"), ("GET", "/admin/v1/comparison"),
    ])
    func `a query that is invalid gets 400`(_ method: String, _ target: String) async throws {
        try await withServer { server in
            let answer = try server.admin(method, target)
            #expect(answer.status == 400)
            #expect(answer.fields.value(.contentType) == "application/problem+json")
        }
    }

    @Test func `paths and methods that do not exist get 404 and 405`() async throws {
        try await withServer { server in
            for target in ["/admin/v1", "/admin/v1/", "/admin/v1/nothing", "/admin/v1/sessions/", "/admin/v2/sessions"]
            {
                #expect(try server.admin("GET", target).status == 404, "\(target)")
            }
            let wrong = try server.admin("POST", "/admin/v1/machines")
            #expect(wrong.status == 405 && wrong.fields.value(.allow) == "GET, HEAD")
            #expect(try server.admin("HEAD", "/admin/v1/machines").status == 200)
            for target in ["/admin/v1/sessions", "/inspector/app.js"] {
                #expect(try server.send(.public, "GET", target).status == 404, "\(target)")
            }
        }
    }

    @Test func `pages of other sites can neither change nor read anything`() async throws {
        try await withServer { server in
            let stored = try server.stored(try server.makeSession())
            for fields in [[], ["Sec-Fetch-Site: cross-site"], ["Origin: http://evil.example"]] {
                let answer = try server.admin("DELETE", "/admin/v1/sessions/\(stored)", fields: fields)
                #expect(answer.status == 403, "\(fields)")
            }
            // A name of another site that has the address of this server.
            for (method, target) in [("GET", "/admin/v1/sessions"), ("DELETE", "/admin/v1/sessions/\(stored)")] {
                let answer = try server.admin(
                    method, target, host: "evil.example:9090", fields: ["Sec-Fetch-Site: same-origin"])
                #expect(answer.status == 421)
            }
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)").json["state"] == "live")
            let form = try server.send(
                .admin, "POST", "/admin/v1/sessions/\(stored)/inputs/say", nil,
                fields: ["Sec-Fetch-Site: none", "Content-Type: text/plain", "Content-Length: 0"])
            #expect(form.status == 200)
        }
    }

    @Test func `only operators reach the interface of a listener for other machines`() async throws {
        let folder = try KeyFolder()
        let path = try folder.write("", to: "api.keys")
        var key = ""
        #expect(KeysRun(path: path, print: { key = $0 }, printError: { _ in }).run(.new("ops")) == 0)
        try await withServer(configure: { configuration in
            configuration.access.apiKeys = path
            configuration.access.operators = ["apiKey:ops"]
            configuration.server.listeners[1] = HTTPListener(.address(host: "0.0.0.0", port: 0), role: .admin)
        }) { server in
            #expect(try server.admin("GET", "/admin/v1/sessions").status == 401)
            // The page itself contains nothing, and asks for the key.
            #expect(try server.admin("GET", "/").status == 200)
            let fields = ["Authorization: Bearer \(key)"]
            #expect(try server.admin("GET", "/admin/v1/sessions", fields: fields).status == 200)
            // Pages of other sites do not have the key, so it is enough.
            let drain = try server.admin("POST", "/admin/v1/drain", host: "ops.example", fields: fields)
            #expect(drain.status == 202 && server.drained.withLock { $0 } == 1)
            #expect(server.logged.withLock { $0 }.contains("action=text(\"drain\") principal="))
        }
    }

    @Test func `the level of the log changes for all modules, or for one`() async throws {
        try await withServer { server in
            let levels = try server.admin("GET", "/admin/v1/log").json
            #expect(levels["level"] == "info")
            #expect(levels["modules"] == ["http": "info", "sessions": "info", "access": "info", "journal": "info"])
            let one = try server.admin("PUT", "/admin/v1/log", #"{"modules":{"http":"debug"}}"#)
            #expect(one.json["modules"]?["http"] == "debug" && one.json["level"] == "info")
            let all = try server.admin("PUT", "/admin/v1/log", #"{"level":"warning"}"#)
            #expect(all.json["modules"]?["http"] == "warning" && all.json["level"] == "warning")
            for body in [#"{"level":"loud"}"#, #"{"modules":{"nothing":"info"}}"#, "{}", #"{"x":1}"#, "[]"] {
                #expect(try server.admin("PUT", "/admin/v1/log", body).status == 422, "\(body)")
            }
            #expect(try server.admin("PUT", "/admin/v1/log", "{").status == 400)
            #expect(try server.admin("GET", "/admin/v1/log").json["level"] == "warning")
        }
    }

    @Test func `machines, loops and the configuration are listed without secrets`() async throws {
        try await withServer { server in
            let machines = try server.admin("GET", "/admin/v1/machines").json["machines"]?.elements
            #expect(machines?.first?["name"] == "echo")
            #expect(machines?.first?["inputs"]?.elements.map { $0["name"] } == ["login", "say"])
            _ = try server.makeSession()
            let loops = try server.admin("GET", "/admin/v1/loops").json["loops"]?.elements ?? []
            #expect(loops.map { $0["index"] } == [0, 1])
            #expect(loops.compactMap { $0["sessions"]?.integer }.reduce(0, +) == 1)
            let configuration = try server.admin("GET", "/admin/v1/configuration").json["configuration"]?.elements ?? []
            #expect(configuration.count == (Configuration.keys + Configuration.logKeys).count)
            let changed = configuration.filter { $0["isDefault"] == false }.compactMap { $0["name"]?.text }
            // The server of these tests has long timeouts.
            let timeouts = ["headTimeout", "bodyTimeout", "idleTimeout", "writeTimeout"].map { "http.\($0)" }
            let others = ["http.listeners", "http.loops", "sessions.stateDirectory", "tls.handshakeTimeout"]
            #expect(Set(changed) == Set(timeouts + others))
        }
    }

    @Test func `without the key http.admin there is neither interface nor page`() async throws {
        let server = try await OperatedServer { $0.servesAdmin = false }
        let statuses = try ["/", "/admin/v1/sessions", "/inspector/app.js"].map {
            try server.send(.admin, "GET", $0).status
        }
        await server.stop()
        #expect(statuses == [404, 404, 404])
    }

    @Test func `the document describes each operation`() async throws {
        try await withServer { server in
            let document = try server.admin("GET", "/admin/v1/openapi.json").json
            #expect(document["openapi"] == "3.1.0")
            for operation in AdminOperation.allCases {
                let item = document["paths"]?[operation.path]?[operation.method.rawValue.lowercased()]
                #expect(item?["operationId"] == .string(operation.rawValue))
                #expect(item?["responses"]?["\(operation.status.code)"] != nil)
            }
        }
    }
}

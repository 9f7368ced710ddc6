import Access
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Files that somebody else has written: an exported session, with each part replaced by others.
struct ImportMutationTests {
    private let file: ImportedFile
    private let expected: ImportedFile.Outcome

    init() throws {
        file = try ImportedFile()
        expected = try file.outcome(of: file.text)
    }

    /// Imports a text. Returns nil if it was refused, which must be with a reason.
    private func outcome(_ text: String, _ name: @autoclosure () -> String) throws -> ImportedFile.Outcome? {
        do {
            return try file.outcome(of: text)
        } catch let error as ArchiveError {
            guard case .noSession = error else { return nil }
            throw error
        }
    }

    private static let numbers = [
        "0", "1", "-1", "1.5", "1e3", "-9223372036854775808", "9223372036854775807", "18446744073709551615",
        "99999999999999999999999",
    ]
    private static let strings = ["", "other", String(repeating: "A", count: 4096), "\u{0}", "größe 😀"]
    private static let kinds: [StateValue] = [nil, true, 7, "text", [], [:]]

    /// Returns the values that take the place of one, each with its place, and the value itself with mutated parts.
    private static func mutations(of value: StateValue, at place: String) -> [(place: String, value: StateValue)] {
        var found = kinds.map { (place, $0) }
        switch value {
        case .number: found += numbers.map { (place, .number($0)) }
        case .string: found += strings.map { (place, .string($0)) }
        case .array(let elements):
            found += [(place, .array(elements.reversed())), (place, .array(elements + elements))]
            found += elements.indices.map { index in
                (place, .array(Array(elements[..<index] + elements[(index + 1)...])))
            }
            for (index, element) in elements.enumerated() {
                for (inner, other) in mutations(of: element, at: "\(place)/\(index)") {
                    var all = elements
                    all[index] = other
                    found.append((inner, .array(all)))
                }
            }
        case .object(let members):
            for (name, member) in members {
                var rest = members
                rest[name] = nil
                found.append(("\(place)/\(name)", .object(rest)))
                for (inner, other) in mutations(of: member, at: "\(place)/\(name)") {
                    var all = members
                    all[name] = other
                    found.append((inner, .object(all)))
                }
            }
        case .null, .boolean: break
        }
        return found
    }

    /// The members whose values say nothing about the session itself: when it was used, when it expires and is woken, and which
    /// rows of its former journal it had. A file whose digest is missing is one of an older build.
    private static func mayVary(_ place: String) -> Bool {
        ["/usedAt", "/expiresAt", "/wakesAt", "/covers", "/digest", "/beginsAt", "/version"].contains(place)
            || place.hasPrefix("/rows/") && (place.hasSuffix("/number") || place.hasSuffix("/wakesAt"))
    }

    @Test func `a file with another value is refused, or is the same session`() throws {
        let original = try StateValue(json: file.text.utf8)
        var older = original
        older["digest"] = nil
        var (refused, accepted) = (0, 0)
        for (form, value) in [("complete", original), ("older", older)] {
            for (place, mutated) in Self.mutations(of: value, at: "") where mutated != value {
                let text = String(decoding: mutated.json, as: UTF8.self)
                guard let outcome = try outcome(text, place) else {
                    refused += 1
                    continue
                }
                accepted += 1
                #expect(outcome == expected, "\(form): \(place)")
                #expect(Self.mayVary(place), "\(form): \(place) is \(text.prefix(2000))")
            }
        }
        #expect(refused > 500)
        #expect(accepted > 0)
    }

    @Test func `a member that is there twice is refused`() throws {
        let original = try StateValue(json: file.text.utf8)
        guard case .object(let members) = original, case .array(let rows)? = members["rows"], let row = rows.first,
            case .object(let inside) = row
        else {
            Issue.record("expected a file with rows")
            return
        }
        func doubled(_ object: StateValue, _ name: String, _ member: StateValue) -> String {
            "{" + String(decoding: StateValue.object([name: member]).json.dropFirst().dropLast(), as: UTF8.self) + ","
                + String(decoding: object.json.dropFirst(), as: UTF8.self)
        }
        for (name, member) in members {
            let text = doubled(original, name, member)
            #expect(try outcome(text, name) == nil, "\(name)")
        }
        for (name, member) in inside {
            let text = file.text.replacing(
                String(decoding: row.json, as: UTF8.self), with: doubled(row, name, member), maxReplacements: 1)
            #expect(text != file.text)
            #expect(try outcome(text, name) == nil, "\(name)")
        }
    }

    @Test func `a file that is cut anywhere is refused`() throws {
        let bytes = Array(file.text.utf8)
        for count in stride(from: 0, to: bytes.count, by: 3) {
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            #expect(throws: ArchiveError.notExported("it is another file, or not complete")) {
                try file.outcome(of: text)
            }
        }
        let longer = file.text + "{}"
        #expect(try outcome(longer, "longer") == nil)
    }

    @Test func `contents with another byte are refused, or contain a session that can be restored`() throws {
        let original = try StateValue(json: file.text.utf8)
        var (places, count): ([(String, [UInt8], (inout StateValue, String) -> Void)], Int) = ([], 0)
        guard case .array(let rows)? = original["rows"] else { return }
        for (index, row) in rows.enumerated() {
            places.append(
                (
                    "row \(index)", Base64URL.bytes(of: (row["content"]?.text ?? "").utf8) ?? [],
                    { file, content in
                        var all = rows
                        all[index]["content"] = .string(content)
                        file["rows"] = .array(all)
                    }
                ))
        }
        let snapshot = Base64URL.bytes(of: (original["snapshot"]?.text ?? "").utf8) ?? []
        places.append(("snapshot", snapshot, { $0["snapshot"] = .string($1) }))
        for (name, content, replace) in places {
            #expect(!content.isEmpty)
            for index in content.indices {
                for byte in [0, 0xFF, content[index] ^ 1] as [UInt8] where byte != content[index] {
                    var changed = content
                    changed[index] = byte
                    let text = try ImportedFile.edited(file.text) { replace(&$0, Base64URL.text(of: changed)) }
                    count += 1
                    // What a machine's values are, only the digest tells.
                    guard let outcome = try outcome(text, name) else { continue }
                    #expect(outcome.version == expected.version, "\(name) \(index)")
                    #expect(outcome.session.machine == expected.session.machine, "\(name) \(index)")
                    let complete = try ImportedFile.edited(file.text, keepsDigest: true) {
                        replace(&$0, Base64URL.text(of: changed))
                    }
                    #expect(try self.outcome(complete, name) == nil, "\(name) \(index)")
                }
            }
        }
        #expect(count > 1000)
    }

    private static let noise = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)

    private static let refused: [(String, @Sendable (inout StoredSession) -> Void)] = [
        ("another machine", { $0.machine = "other" }), ("created late", { $0.created = .max }),
        ("created early", { $0.created = .min }), ("created otherwise", { $0.created += 1 }),
        ("input late", { $0.lastInput = .max }), ("input early", { $0.lastInput = .min }),
        ("greatest version", { $0.version = .max }), ("another version", { $0.version += 1 }),
        ("newer state", { $0.stateVersion = .max }), ("older state", { $0.stateVersion = 0 }),
        ("traps late", { $0.traps.add(.max) }), ("traps early", { $0.traps.add(.min) }),
        ("state that is no JSON", { $0.states["store.0.count"] = Array("nope".utf8)[...] }),
        ("empty state", { $0.states["store.0.count"] = [] }),
        ("deep state", { $0.states["store.0.count"] = Array(noise.utf8)[...] }),
        ("reserved output", { $0.shown["$emitted"] = Array("1".utf8)[...] }),
        ("output with a line", { $0.shown["count"] = Array("[1,\n2]".utf8)[...] }),
        ("output that ends an event", { $0.shown["count"] = Array("1\n\nevent: end".utf8)[...] }),
        ("deep output", { $0.shown["count"] = Array(noise.utf8)[...] }),
        ("change that is no object", { $0.changes = [.init(version: $0.version, data: Array("[]".utf8)[...])] }),
        (
            "empty response",
            { $0.keyed = $0.keyed.map { .init(key: $0.key, request: $0.request, response: [], time: 0) } }
        ),
        (
            "response late",
            { $0.keyed = $0.keyed.map { .init(key: $0.key, request: $0.request, response: $0.response, time: .max) } }
        ),
        (
            "response that is no object",
            {
                let response = Array("7".utf8)[...]
                $0.keyed = $0.keyed.map { .init(key: $0.key, request: $0.request, response: response, time: $0.time) }
            }
        ),
        (
            "effect without a number",
            { $0.effects.append(.init(id: 0, name: "search", startedAt: 0, work: .time(0))) }
        ),
        ("effects twice", { $0.effects += $0.effects }),
        ("parameters", { $0.parameters = Array("{".utf8)[...] }),
        ("pre-migration state", { $0.preMigrationState = .init(stateVersion: 0, until: 0, content: []) }),
        (
            "itself as pre-migration state",
            { $0.preMigrationState = .init(stateVersion: $0.stateVersion, until: 0, content: $0.content[...]) }
        ),
        (
            "name of another owner",
            {
                let name = SessionName(owner: SessionOwner(high: 1, low: 2), text: "main")
                $0.named = .init(name: name, id: SessionID(high: 1, low: 1 << 4))
            }
        ),
        (
            "effect with the greatest number",
            { $0.effects.append(.init(id: .max, name: "search", startedAt: 0, work: .time(0))) }
        ),
        (
            "effect that began early",
            { $0.effects.append(.init(id: 99, name: "search", startedAt: .min, work: .time(0))) }
        ),
        (
            "effect that was asked too often",
            { $0.effects.append(.init(id: 99, name: "search", startedAt: 0, lease: .max, work: .time(0))) }
        ),
        (
            "question that is no JSON",
            {
                let work = OpenEffect.Work.answer(question: Array("{".utf8)[...], key: "k")
                $0.effects.append(.init(id: 99, name: "search", startedAt: 0, work: work))
            }
        ),
    ]

    @Test func `a snapshot with an impossible value is refused`() throws {
        for (name, change) in Self.refused {
            let text = try file.edited(snapshot: change)
            #expect(try outcome(text, name) == nil, "\(name)")
        }
        let same = try file.edited { _ in }
        #expect(try outcome(same, "same") == expected)
    }

    @Test func `a principal without an owner is refused`() throws {
        let text = try file.edited { session in
            session.ownership.principal = Principal(method: .cookie, issuer: "", id: "a", claims: "", expires: nil)
        }
        #expect(try outcome(text, "principal") == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, 1_767_225_600_000_000_000, .max])
    func `a timer may be due at any time`(due: Int64) throws {
        let text = try file.edited { session in
            for index in session.effects.indices {
                if case .time = session.effects[index].work { session.effects[index].work = .time(due) }
            }
        }
        let journal = MemoryJournal()
        let id = try file.outcome(of: text, in: journal).id
        let disk = TestDisk()
        var batch = JournalBatch()
        batch.add(.store(try #require(try journal.load(id)?.snapshot)))
        disk.content.withLock { [batch] in $0.apply(batch) }
        for seconds in [100, 200] as [Int64] {
            let host = try StoredHost(on: disk, after: seconds, of: file.machine)
            #expect(host.send(.get, file.path).status == 200)
            host.advance(by: 3)
            #expect(host.send(.post, file.path + "/inputs/add", body: "1").status == 200)
            #expect(disk.failures.withLock { $0 } == [])
            #expect(disk.entries.first?.snapshot?.summary.hasEnded == false)
        }
    }
}

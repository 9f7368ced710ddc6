import CombineCore
import ComposableArchitecture
import DemoMachines
import GitHubAPI
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The demos in the current syntax, through their HTTP interface and across restarts.
struct HostedMacroDemoTests {
    /// A session of a demo.
    private struct DemoSession {
        let host: RestartableHost
        let path: String

        init(of machine: String, _ demos: [MachineDefinition]) throws {
            host = try RestartableHost(demos)
            path = host.harness.makeSession(of: machine)
        }

        var outputs: String { host.send(.get, path + "/outputs").text }

        /// The identifiers in the outputs, in their order.
        var ids: [String] { outputs.matches(of: /"id":"([^"]+)"/).map { String($0.1) } }

        /// Sends an input and lets time pass. Returns the response.
        @discardableResult
        func send(_ input: String, _ body: String? = nil, then duration: Duration = .zero) -> HarnessAnswer {
            let answer = host.send(.post, "\(path)/inputs/\(input)", body: body)
            host.harness.loop.advance(by: duration)
            return answer
        }
    }

    @Test func `errors and an alert are outputs of the form`() throws {
        let form = try DemoSession(of: "composable-form", MachineDefinition.composableDemos())
        #expect(form.send("alert.dismiss").status == .conflict)
        let refused = form.send("submitTapped").text
        #expect(refused.contains(#""name":"Enter your name.""#), "\(refused)")
        form.send("binding.name", #""Ann""#)
        form.send("binding.email", #""ann@example.org""#)
        #expect(form.send("binding.acceptsTerms", "true").text.contains(#""errors":{}"#))
        #expect(form.send("submitTapped").text.contains(#""isSubmitting":true"#))
        #expect(form.outputs.contains(#""title":"You are registered""#), "\(form.outputs)")
        #expect(!form.outputs.contains("wasSubmitted"))
        form.send("alert.dismiss")
        #expect(form.outputs.contains(#""alert":null"#))
    }

    @Test func `screens of notes are pushed and popped, and survive a restart`() throws {
        let notes = try DemoSession(of: "composable-notes", MachineDefinition.composableDemos())
        notes.send("addTapped")
        notes.send("path.element.editor.titleChanged", #"{"id":0,"value":"Milk"}"#)
        #expect(notes.send("path.element.editor.saveTapped", #"{"id":0}"#).text.contains(#""path":[]"#))
        let id = try #require(notes.ids.first)
        let shown = notes.send("noteTapped", "\"\(id)\"").text
        #expect(shown.contains(#""path":[{"id":1,"value":{"detail":{"note":{"id":"\#(id)","title":"Milk""#), "\(shown)")
        notes.send("path.element.detail.deleteTapped", #"{"id":1}"#)
        try notes.host.restart()
        #expect(notes.outputs.contains(#""title":"Delete this note?""#))
        let deleted = notes.send("path.element.detail.dialog.presented.confirmDeletion", #"{"id":1}"#).text
        #expect(deleted.contains(#""notes":[]"#) && deleted.contains(#""path":[]"#), "\(deleted)")
        #expect(notes.send("path.element.detail.editTapped", #"{"id":1}"#).status == .conflict)
        #expect(notes.send("path.push", #"{"id":5,"state":null}"#).status == .notFound)
    }

    @Test func `a kill between a keystroke and its search leads to one search`() throws {
        let asked = LockIsolated<[String]>([])
        let demos = try MachineDefinition.composableDemos { query in
            asked.withValue { $0.append(query.text) }
            return FakeGitHub.answer(to: query)
        }
        let search = try DemoSession(of: "composable-search", demos)
        search.send("queryChanged", #""swift""#, then: .milliseconds(200))
        try search.host.restart()
        #expect(search.outputs.contains(#""isSearching":true"#))
        search.host.harness.loop.advance(by: .seconds(1))
        #expect(asked.value == ["swift"])
        #expect(search.outputs.contains(#""isSearching":false"#))
        #expect(search.outputs.contains(#""totalCount":4"#))
    }

    @Test func `a kill during a search leads to the same search once more`() throws {
        let asked = LockIsolated<[String]>([])
        let demos = try MachineDefinition.composableDemos { query in
            asked.withValue { $0.append(query.text) }
            if asked.value.count == 1 { return Empty(completeImmediately: false).eraseToAnyPublisher() }
            return FakeGitHub.answer(to: query)
        }
        let search = try DemoSession(of: "composable-search", demos)
        search.send("queryChanged", #""swift""#, then: .seconds(1))
        #expect(asked.value == ["swift"])
        try search.host.restart()
        #expect(search.outputs.contains(#""isSearching":true"#))
        search.host.harness.loop.advance(by: .seconds(1))
        #expect(search.outputs.contains(#""totalCount":4"#))
        #expect(asked.value.last == "swift")
        #expect(asked.value.count > 1)
    }

    @Test func `a meeting goes on after a restart, and belongs to its sync-up when it ends`() throws {
        let syncUps = try DemoSession(of: "sync-ups", MachineDefinition.composableDemos())
        syncUps.send("list.addTapped")
        let ids = syncUps.ids
        try #require(ids.count == 2)
        syncUps.send("list.destination.presented.add.titleChanged", #""Design""#)
        syncUps.send(
            "list.destination.presented.add.attendeeNameChanged", #"{"attendee":"\#(ids[1])","name":"Ann"}"#)
        #expect(syncUps.send("list.confirmAddTapped").text.contains(#""destination":null"#))
        syncUps.send("list.syncUpTapped", "\"\(ids[0])\"")
        syncUps.send("path.element.detail.startMeetingTapped", #"{"id":0}"#, then: .seconds(2))
        #expect(syncUps.outputs.contains(#""secondsElapsed":2"#), "\(syncUps.outputs)")
        try syncUps.host.restart()
        #expect(syncUps.outputs.contains(#""secondsElapsed":2"#))
        syncUps.host.harness.loop.advance(by: .seconds(3))
        #expect(syncUps.outputs.contains(#""secondsElapsed":5"#))
        syncUps.send("path.element.record.endTapped", #"{"id":1}"#, then: .seconds(3))
        let saved = syncUps.send("path.element.record.alert.presented.save", #"{"id":1}"#).text
        // The list and the detail share the sync-up.
        #expect(saved.matches(of: /"seconds":5\b/).count == 2, "\(saved)")
        #expect(!syncUps.outputs.contains("record"))
        #expect(syncUps.send("path.element.record.start", #"{"id":1}"#).status == .notFound)
    }

    @Test func `sessions have their own sync-ups`() throws {
        let syncUps = try DemoSession(of: "sync-ups", MachineDefinition.composableDemos())
        let other = syncUps.host.harness.makeSession(of: "sync-ups")
        syncUps.send("list.addTapped")
        syncUps.send("list.confirmAddTapped")
        #expect(syncUps.outputs.contains(#""title":"Untitled""#))
        #expect(syncUps.host.send(.get, other + "/outputs").text.contains(#""syncUps":[]"#))
    }
}

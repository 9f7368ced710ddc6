import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

/// Tests of the list of notes and its stack, step by step.
struct NotesTests {
    private let milk = Note(id: UUID(7), title: "Milk", text: "Two bottles")

    private func store(_ notes: Note...) -> TestStoreOf<Notes> {
        TestStore(initialState: Notes.State(notes: IdentifiedArray(notes))) {
            Notes()
        } withDependencies: {
            $0.uuid = .incrementing
        }
    }

    @Test func `a note is added when its editor saves it`() async {
        let store = store()
        await store.send(\.addTapped) { $0.path[id: 0] = .editor(NoteEditor.State(note: Note(id: UUID(0)))) }
        await store.send(\.path[id: 0].editor.textChanged, "Two bottles") {
            $0.path[id: 0, case: \.editor]?.note.text = "Two bottles"
        }
        await store.send(\.path[id: 0].editor.saveTapped) { $0.path[id: 0, case: \.editor]?.note.title = "Untitled" }
        await store.receive(\.path[id: 0].editor.delegate.save) {
            $0.notes = [Note(id: UUID(0), title: "Untitled", text: "Two bottles")]
            $0.path = []
        }
    }

    @Test func `a note that is left is not added`() async {
        let store = store()
        await store.send(\.addTapped) { $0.path[id: 0] = .editor(NoteEditor.State(note: Note(id: UUID(0)))) }
        await store.send(\.path.popFrom, 0) { $0.path = [] }
    }

    @Test func `an edited note changes in the list and on the screen below`() async {
        let store = store(milk)
        await store.send(\.noteTapped, milk.id) { $0.path[id: 0] = .detail(NoteDetail.State(note: milk)) }
        await store.send(\.path[id: 0].detail.editTapped)
        await store.receive(\.path[id: 0].detail.delegate.edit) {
            $0.path[id: 1] = .editor(NoteEditor.State(note: milk))
        }
        await store.send(\.path[id: 1].editor.titleChanged, "Oat milk") {
            $0.path[id: 1, case: \.editor]?.note.title = "Oat milk"
        }
        await store.send(\.path[id: 1].editor.saveTapped)
        await store.receive(\.path[id: 1].editor.delegate.save) {
            $0.path.pop(from: 1)
            $0.path[id: 0, case: \.detail]?.note.title = "Oat milk"
            $0.notes[id: milk.id]?.title = "Oat milk"
        }
    }

    @Test func `a note is deleted after a confirmation`() async {
        let store = store(milk)
        await store.send(\.noteTapped, milk.id) { $0.path[id: 0] = .detail(NoteDetail.State(note: milk)) }
        await store.send(\.path[id: 0].detail.deleteTapped) { $0.path[id: 0, case: \.detail]?.dialog = .deletion }
        await store.send(\.path[id: 0].detail.dialog.dismiss) { $0.path[id: 0, case: \.detail]?.dialog = nil }
        await store.send(\.path[id: 0].detail.deleteTapped) { $0.path[id: 0, case: \.detail]?.dialog = .deletion }
        await store.send(\.path[id: 0].detail.dialog.confirmDeletion) {
            $0.path[id: 0, case: \.detail]?.dialog = nil
        }
        await store.receive(\.path[id: 0].detail.delegate.delete) {
            $0.notes = []
            $0.path = []
        }
    }

    @Test func `a note that does not exist is not shown`() async {
        await store(milk).send(\.noteTapped, UUID(9))
    }
}

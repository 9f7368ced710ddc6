import Combine
import Foundation
import GranaryClient

/// Shows a list, and runs the commands of its user.
@MainActor
final class Terminal {
    private let list: RemoteMachine<ComposableTodos>
    private let write: (String) -> Void
    private var rows = Rows()
    private var isOffline = false
    private var subscriptions: Set<AnyCancellable> = []

    /// Shows a list from now on.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - write: Writes a text and the end of its line.
    ///   - ended: Called when the list has ended.
    init(_ list: RemoteMachine<ComposableTodos>, write: @escaping (String) -> Void, ended: @escaping () -> Void) {
        self.list = list
        self.write = write
        // A publisher calls during the change: whatever a command does is shown before the command returns.
        list.$outputs.sink { [weak self] in self?.show($0) }.store(in: &subscriptions)
        list.$status.sink { [weak self] status in
            self?.show(status)
            if case .ended = status { ended() }
        }.store(in: &subscriptions)
    }

    /// Runs a command. The outputs show its result.
    func run(_ line: String) async {
        guard let command = Command(line) else { return write(Command.usage) }
        do {
            switch command {
            case .add(let text): try await add(text)
            case .done(let number):
                guard let id = id(of: number) else { return }
                try await list.send(.todoCheckBoxToggled(.init(id: id)))
            case .delete(let number):
                guard let id = id(of: number) else { return }
                try await list.send(.delete(id))
            case .clear: try await list.send(.clearCompletedButtonTapped)
            case .filter(let filter): try await list.send(.filterPicked(filter))
            case .list: show(list.outputs)
            }
        } catch GranaryError.refused(let problem) {
            write(problem.detail.printable)
        } catch GranaryError.outcomeUnknown {
            write("The connection was lost. Please check whether the list has changed.")
        } catch {
            write("\(error)".printable)
        }
    }

    private func add(_ text: String) async throws {
        let known = Set(list.outputs.todos.map(\.id))
        // The new item is active, and another filter would hide it.
        let isHidden = list.outputs.filter == .completed
        let turn = try await list.send(isHidden ? [.filterPicked(.all), .addTodoButtonTapped] : [.addTodoButtonTapped])
        guard let added = turn.outputs.todos.first(where: { !known.contains($0.id) && $0.description_.isEmpty }) else {
            return
        }
        try await list.send(.todoTextFieldChanged(.init(id: added.id, value: text)))
    }

    private func id(of number: Int) -> String? {
        guard let id = rows.id(of: number), list.outputs.todos.contains(where: { $0.id == id }) else {
            write("There is no item \(number).")
            return nil
        }
        return id
    }

    private func show(_ outputs: ComposableTodos.Outputs) { write(rows.text(of: outputs.todos, outputs.filter)) }

    private func show(_ status: SessionStatus) {
        switch status {
        case .connecting: break
        case .live:
            if isOffline { write("The server is there again.") }
            isOffline = false
        case .offline:
            if !isOffline { write("The server cannot be reached. Commands wait for it.") }
            isOffline = true
        case .ended(let end): write("The list has ended: \(end)".printable)
        }
    }
}

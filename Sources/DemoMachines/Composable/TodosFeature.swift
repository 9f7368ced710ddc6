public import ComposableArchitecture
public import Dispatch
public import FoundationEssentials

/// Something to be done.
public struct Todo: Equatable, Encodable, Identifiable, Sendable {
    /// What it is known by.
    public let id: UUID
    var description = ""
    var isComplete = false
}

/// What can happen to one of them.
public enum TodoAction: Equatable, Sendable {
    case checkBoxToggled
    case textFieldChanged(String)
}

/// Which ones are shown.
public enum TodosFilter: String, Codable, CaseIterable, Sendable {
    case all
    case active
    case completed
}

/// What is to be done.
public struct TodosState: Equatable, Sendable {
    var filter = TodosFilter.all
    var todos: IdentifiedArrayOf<Todo> = []

    /// Nothing is to be done.
    public init() {}
}

/// What a client sees of it.
public struct TodosView: Encodable {
    let filter: TodosFilter
    let todos: [Todo]
    let isClearCompletedEnabled: Bool

    /// Those that the filter lets through.
    public init(_ state: TodosState) {
        filter = state.filter
        isClearCompletedEnabled = state.todos.contains { $0.isComplete }
        todos = state.todos.filter { todo in
            switch state.filter {
            case .all: true
            case .active: !todo.isComplete
            case .completed: todo.isComplete
            }
        }
    }
}

/// What can happen to the list.
public enum TodosAction: Equatable, Sendable {
    case addTodoButtonTapped
    case clearCompletedButtonTapped
    case delete(id: UUID)
    case filterPicked(TodosFilter)
    case sortCompletedTodos
    case todo(id: UUID, action: TodoAction)
}

/// The scheduler, and where ids come from.
public struct TodosEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var uuid: () -> UUID

    /// What the feature depends on.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>, uuid: @escaping () -> UUID = { UUID() }) {
        self.mainQueue = mainQueue
        self.uuid = uuid
    }
}

private let todoReducer = Reducer<Todo, TodoAction, Void> { todo, action, _ in
    switch action {
    case .checkBoxToggled: todo.isComplete.toggle()
    case .textFieldChanged(let description): todo.description = description
    }
    return .none
}

/// A list of features by id: a second after the last one was checked, those that are complete sink to the end.
public let todosReducer = Reducer<TodosState, TodosAction, TodosEnvironment>.combine(
    todoReducer.forEach(state: \.todos, action: /TodosAction.todo, environment: { _ in () }),
    Reducer { state, action, environment in
        struct TodoCompletionID: Hashable {}

        switch action {
        case .addTodoButtonTapped:
            state.todos.insert(Todo(id: environment.uuid()), at: 0)
            return .none
        case .clearCompletedButtonTapped:
            state.todos.removeAll { $0.isComplete }
            return .none
        case .delete(let id):
            state.todos.remove(id: id)
            return .none
        case .filterPicked(let filter):
            state.filter = filter
            return .none
        case .sortCompletedTodos:
            let active = state.todos.filter { !$0.isComplete }
            let completed = state.todos.filter(\.isComplete)
            state.todos = IdentifiedArray(active + completed)
            return .none
        case .todo(id: _, action: .checkBoxToggled):
            return Effect(value: .sortCompletedTodos)
                .debounce(id: TodoCompletionID(), for: 1, scheduler: environment.mainQueue)
        case .todo: return .none
        }
    })

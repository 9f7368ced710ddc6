public import ComposableArchitecture
public import Dispatch
public import FoundationEssentials
public import MachineHost

/// An item of a to-do list.
public struct Todo: Equatable, Encodable, Identifiable, Sendable {
    /// The identifier of the item.
    public let id: UUID
    var description = ""
    var isComplete = false
}

extension Todo: JSONDescribed {
    /// The members that are encoded.
    public static var jsonShape: JSONShape {
        .members(["id": UUID.self, "description": String.self, "isComplete": Bool.self])
    }
}

/// The actions on an item.
public enum TodoAction: Equatable, Sendable {
    case checkBoxToggled
    case textFieldChanged(String)
}

/// The items to show.
public enum TodosFilter: String, Codable, CaseIterable, Sendable {
    case all
    case active
    case completed
}

/// The to-do list and its filter.
public struct TodosState: Equatable, Sendable {
    var filter = TodosFilter.all
    var todos: IdentifiedArrayOf<Todo> = []

    /// Creates an empty list.
    public init() {}
}

/// The outputs of the to-do list.
public struct TodosView: Encodable {
    let filter: TodosFilter
    let todos: [Todo]
    let isClearCompletedEnabled: Bool

    /// Creates the outputs with the items that match the filter.
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

/// The actions on the list.
public enum TodosAction: Equatable, Sendable {
    case addTodoButtonTapped
    case clearCompletedButtonTapped
    case delete(id: UUID)
    case filterPicked(TodosFilter)
    /// The server was restarted, and nothing waits for the last change any more.
    case resumed
    case sortCompletedTodos
    case todo(id: UUID, action: TodoAction)
}

/// The scheduler and the source of identifiers.
public struct TodosEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var uuid: () -> UUID

    /// Creates an environment from its dependencies.
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

/// A list of features by identifier. A second after the last change of a check box, completed items move to the end.
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
        case .todo(id: _, action: .checkBoxToggled), .resumed:
            return Effect(value: .sortCompletedTodos)
                .debounce(id: TodoCompletionID(), for: 1, scheduler: environment.mainQueue)
        case .todo: return .none
        }
    })

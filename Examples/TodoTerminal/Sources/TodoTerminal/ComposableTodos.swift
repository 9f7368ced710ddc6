// Types of machines, written by `granary types`. Do not edit.
// Contract 5577da0adb60bd83

import GranaryClient

/// A to-do list, sorted and filtered.
public enum ComposableTodos: MachineSchema {
    public static let machineName = "composable-todos"

    /// The inputs.
    public enum Inputs: MachineInputs, Hashable {
        case delete(String)
        case filterPicked(TodosFilter)
        case todoTextFieldChanged(TodoTextFieldChanged)
        case todoCheckBoxToggled(TodoCheckBoxToggled)
        case addTodoButtonTapped
        case clearCompletedButtonTapped

        public func inputMessage() -> InputMessage {
            switch self {
            case .delete(let value): InputMessage("delete", value)
            case .filterPicked(let value): InputMessage("filterPicked", value)
            case .todoTextFieldChanged(let value): InputMessage("todo.textFieldChanged", value)
            case .todoCheckBoxToggled(let value): InputMessage("todo.checkBoxToggled", value)
            case .addTodoButtonTapped: InputMessage("addTodoButtonTapped")
            case .clearCompletedButtonTapped: InputMessage("clearCompletedButtonTapped")
            }
        }
    }

    /// The outputs that have a value.
    public struct Outputs: MachineOutputs {
        public var filter: TodosFilter
        public var todos: [Todo]
        public var isClearCompletedEnabled: Bool

        public init(_ values: OutputValues) throws {
            filter = try values.value("filter")
            todos = try values.value("todos")
            isClearCompletedEnabled = try values.value("isClearCompletedEnabled")
        }

        public mutating func merge(_ values: OutputValues) throws {
            try values.update("filter", &filter)
            try values.update("todos", &todos)
            try values.update("isClearCompletedEnabled", &isClearCompletedEnabled)
        }
    }

    /// One of the texts of a value.
    public enum TodosFilter: String, Codable, Hashable, Sendable {
        case all
        case active
        case completed
    }

    /// An object.
    public struct TodoTextFieldChanged: Codable, Hashable, Sendable {
        public var id: String
        public var value: String

        /// Creates the object from its members.
        public init(id: String, value: String) {
            self.id = id
            self.value = value
        }
    }

    /// An object.
    public struct TodoCheckBoxToggled: Codable, Hashable, Sendable {
        public var id: String

        /// Creates the object from its members.
        public init(id: String) {
            self.id = id
        }
    }

    /// An object.
    public struct Todo: Codable, Hashable, Sendable {
        public var id: String
        public var description_: String
        public var isComplete: Bool

        /// Creates the object from its members.
        public init(id: String, description_: String, isComplete: Bool) {
            self.id = id
            self.description_ = description_
            self.isComplete = isComplete
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case description_ = "description"
            case isComplete
        }
    }
}

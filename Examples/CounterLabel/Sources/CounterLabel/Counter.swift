// Types of machines, written by `granary types`. Do not edit.
// Contract cdca2362116af440

import GranaryClient

/// Counts up and down. A switch determines which buttons are enabled.
public enum Counter: MachineSchema {
    public static let machineName = "counter"

    /// The inputs.
    public enum Inputs: MachineInputs, Hashable {
        case increment
        case decrement
        case isOn(Bool)

        public func inputMessage() -> InputMessage {
            switch self {
            case .increment: InputMessage("increment")
            case .decrement: InputMessage("decrement")
            case .isOn(let value): InputMessage("isOn", value)
            }
        }
    }

    /// The outputs that have a value.
    public struct Outputs: MachineOutputs {
        public var count: Int
        public var isIncrementEnabled: Bool
        public var isDecrementEnabled: Bool
        public var toggleText: String

        public init(_ values: OutputValues) throws {
            count = try values.value("count")
            isIncrementEnabled = try values.value("isIncrementEnabled")
            isDecrementEnabled = try values.value("isDecrementEnabled")
            toggleText = try values.value("toggleText")
        }

        public mutating func merge(_ values: OutputValues) throws {
            try values.update("count", &count)
            try values.update("isIncrementEnabled", &isIncrementEnabled)
            try values.update("isDecrementEnabled", &isDecrementEnabled)
            try values.update("toggleText", &toggleText)
        }
    }
}

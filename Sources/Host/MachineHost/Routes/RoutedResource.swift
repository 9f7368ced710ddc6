/// A kind of resource that the host serves, without the names in its path.
package enum RoutedResource {
    case machines, machine, sessions, session, inputs, input, outputs, tickets, stream, combinedOutputs, health
}

extension Route {
    /// The kind of the resource; nil for a path that the host may not serve.
    var resource: RoutedResource? {
        switch self {
        case .machines: .machines
        case .machine: .machine
        case .sessions: .sessions
        case .session: .session
        case .inputs: .inputs
        case .input: .input
        case .outputs: .outputs
        case .tickets: .tickets
        case .stream: .stream
        case .combinedOutputs: .combinedOutputs
        case .live, .ready: .health
        case .description, .machineDescription, .noSession, .unknown: nil
        }
    }
}

public import MachineHost
public import Unio

extension MachineDefinition {
    /// Makes a Unio stream hostable.
    ///
    /// Inputs are the relays and subjects of the stream's `Input`; they are sent elements, never an error or a completion.
    /// Outputs are the members of its `Output`. Properties, behavior relays and behavior subjects show their current value;
    /// computed values are computed again at the end of every turn; other observables are events, unless they say something
    /// as soon as they are observed (`state.count.map(String.init)` does): then they show what they said last. Other stored
    /// properties that are `Encodable` are shown as they are.
    ///
    /// The factory is called once here, to look at a stream that is then thrown away, and once for each session, on the
    /// session's loop. Here, too, the observables of its output are observed for a moment.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: One sentence for people.
    ///   - outputs: The outputs, by name and key path into `Output`; nil for all that reflection finds.
    ///   - events: Outputs that only happen, whatever they are by the rule above: clients get each of their values, and
    ///     never a current one.
    ///   - values: Observables that show what they said last, although they say nothing as soon as they are observed.
    ///   - hidden: Properties that clients do not see, private ones included: reflection sees them.
    ///   - make: Makes the stream of one session.
    /// - Throws: If the stream cannot be hosted: an input whose element is not `Decodable`, an output whose element is not
    ///   `Encodable`, a factory that throws. The error names the property.
    public static func unio<Stream: UnioStreamType & SendableMetatype>(
        _ name: String, summary: String, outputs: [ListedOutput<Stream.Output>]? = nil, events: Set<String> = [],
        values: Set<String> = [],
        hidden: Set<String> = [], make: @escaping @Sendable (SessionContext) throws -> Stream
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let wishes = OutputWishes(
            listed: outputs?.map { ListedPort($0) }, events: events, values: values, hidden: hidden)
        let shape = try SessionContext.trying { context throws(MachineRegistrationError) in
            let probe: Stream
            do {
                probe = try make(context)
            } catch {
                throw MachineRegistrationError(machine: name, detail: "its factory failed: \(error)")
            }
            return try MachineShape(of: probe, named: name, wishes: wishes)
        }
        return MachineDefinition(name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs) {
            context in
            let stream = try make(context)
            return try shape.adapt(ConnectedStream(stream), MachineParts(of: stream), context: context)
        }
    }
}

extension MachineShape {
    /// Looks at a Unio stream. Throws if it cannot be hosted, naming what is in the way.
    fileprivate init<Stream: UnioStreamType>(
        of stream: Stream, named name: String, wishes: OutputWishes
    ) throws(MachineRegistrationError) {
        try self.init(
            of: MachineParts(of: stream), named: name, wishes: wishes,
            findInput: { property, position, index throws(MachineRegistrationError) in
                try InputPort(unio: property, position: position, index: index, machine: name)
            },
            findOutput: { property, wish throws(MachineRegistrationError) in
                try OutputShape(unio: property, wish, machine: name)
            })
    }
}

extension MachineParts {
    fileprivate init<Stream: UnioStreamType>(of stream: Stream) {
        self.init(input: stream.input.base, output: stream.output.base)
    }
}

/// Holds a stream for its session, and ends its subscriptions with it.
private final class ConnectedStream {
    private let stream: AnyObject

    init(_ stream: AnyObject) {
        self.stream = stream
    }

    deinit {
        (stream as? any DisconnectableStream)?.disconnect()
    }
}

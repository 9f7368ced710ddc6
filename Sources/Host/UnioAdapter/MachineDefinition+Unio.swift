public import MachineAdapters
public import MachineHost
import StateCapture
public import Unio

extension MachineDefinition {
    /// Hosts a Unio stream.
    ///
    /// The inputs are the relays and subjects of the stream's `Input`. They receive elements, never an error or a
    /// completion. The outputs are the members of its `Output`. Properties, behavior relays and behavior subjects show
    /// their current value. Computed values are computed at the end of every turn. Other observables are events, unless
    /// they send an element on subscription (as `state.count.map(String.init)` does): then they show their latest
    /// element. Other stored properties are values if they are `Encodable`.
    ///
    /// The factory is called once at registration, to inspect a stream that is then discarded, and once for each
    /// session, on the session's loop. At registration, the observables of the output are subscribed to briefly.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - outputs: The outputs, by name and key path into `Output`; nil for all outputs that reflection finds.
    ///   - events: Outputs that emit events, regardless of their type: clients receive each value, and there is no
    ///     current value.
    ///   - values: Observables that show their latest element although they send none on subscription.
    ///   - hidden: Properties that are not available to clients. Reflection also finds private properties.
    ///   - transient: The names of members and operators that are not captured: what a restored session builds anew or
    ///     loses on purpose.
    ///   - make: Creates the stream of a session.
    /// - Throws: If the stream cannot be hosted: an input's element is not `Decodable`, an output's element is not
    ///   `Encodable`, or the factory throws. The error names the property.
    public static func unio<Stream: UnioStreamType & SendableMetatype>(
        _ name: String, summary: String, outputs: [ListedOutput<Stream.Output>]? = nil, events: Set<String> = [],
        values: Set<String> = [],
        hidden: Set<String> = [], transient: Set<String> = [],
        make: @escaping @Sendable (SessionContext) throws -> Stream
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let options = OutputOptions(
            listed: outputs?.map { ListedPort($0) }, events: events, values: values, hidden: hidden)
        let probe = try MachineProbe<MachineShape>(of: name, transient: transient) {
            context throws(MachineRegistrationError) in
            let stream = try MachineProbe<MachineShape>.make(name, context, make)
            let shape = try MachineShape(of: stream, named: name, options: options)
            let parts = MachineParts(of: stream)
            let hosted = try shape.validate(ConnectedStream(stream), parts, context: context, named: name)
            return (shape, hosted, parts.resumables)
        }
        let shape = probe.shape
        var definition = MachineDefinition(
            name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs
        ) { context in
            let stream = try make(context)
            return try shape.adapt(ConnectedStream(stream), MachineParts(of: stream), context: context)
        }
        probe.describe(&definition)
        return definition
    }
}

extension MachineShape {
    /// Inspects a Unio stream. Throws if it cannot be hosted.
    fileprivate init<Stream: UnioStreamType>(
        of stream: Stream, named name: String, options: OutputOptions
    ) throws(MachineRegistrationError) {
        try self.init(
            of: MachineParts(of: stream), named: name, options: options,
            findInput: { property, position, index throws(MachineRegistrationError) in
                try InputPort(unio: property, position: position, index: index, machine: name)
            },
            findOutput: { property, requested throws(MachineRegistrationError) in
                try OutputShape(unio: property, requested, machine: name)
            })
    }
}

extension MachineParts {
    fileprivate init<Stream: UnioStreamType>(of stream: Stream) {
        self.init(
            input: stream.input.base, output: stream.output.base,
            resumables: [stream as AnyObject].compactMap { $0 as? any Resumable })
    }
}

/// Retains a stream for its session, and ends its subscriptions when the session ends.
private final class ConnectedStream {
    private let stream: AnyObject

    init(_ stream: AnyObject) {
        self.stream = stream
    }

    deinit {
        (stream as? any DisconnectableStream)?.disconnect()
    }
}

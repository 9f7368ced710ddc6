import CombineCore
public import MachineHost
import Observation
import StateCapture

extension MachineDefinition {
    /// Hosts an `@Observable` class or an `ObservableObject`.
    ///
    /// ```swift
    /// try .observable(
    ///     "counter", summary: "Counts.", outputs: [.value("count", \.count)],
    ///     inputs: [.call("increment", Counter.increment), .set("step", \.step)]
    /// ) { _ in Counter() }
    /// ```
    ///
    /// An output is read at the end of a turn that changed what it has read before: properties of the object, and those of
    /// observable objects in it. A property with `@ObservationIgnored` does not report its changes. All outputs of an
    /// `ObservableObject` are read at the end of a turn in which it sent `objectWillChange`.
    ///
    /// The class may be isolated to the main actor (`@MainActor`), which is the session's loop for everything that the session
    /// starts. Call this function where the main actor is, too (in `main.swift`, or in a function with `@MainActor`): key paths to
    /// its properties compile only there. The methods of a class that belongs to no actor run on the session's loop, also the
    /// asynchronous ones and what they await, so that the class need not be `Sendable`.
    ///
    /// An asynchronous method is a task of the session: what it does between two pauses is a turn, and it is cancelled when the
    /// session ends. `Task.sleep` follows the session's scheduler. A task is lost with the process: a `Resumable` class receives the
    /// names of the inputs that were running. If a method throws after its first pause, or an asynchronous one of the main actor
    /// throws at all, the error is logged.
    ///
    /// The stored properties survive the process if their values are `Codable` or consist of such values. Nested observable objects
    /// must be `Codable` for that.
    ///
    /// The factory is called once at registration, to inspect an object that is then discarded, and once for each session, on the
    /// session's loop.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - outputs: The outputs, by name and key path. Clients see these and no others.
    ///   - inputs: The inputs: methods with at most one value, and properties.
    ///   - transient: The names of properties that are not captured.
    ///   - rejecting: Returns the response to an error that a method throws. What the method has changed before stays. Required if
    ///     a method throws.
    ///   - make: Creates the object of a session.
    /// - Throws: If the machine cannot be hosted: the class is not observable, two inputs or outputs have one name, a method throws and `rejecting` is nil, or
    ///   the factory throws.
    public static func observable<Root: AnyObject & SendableMetatype>(
        _ name: String, summary: String, outputs: [ObservableOutput<Root>], inputs: [ObservableInput<Root>],
        transient: Set<String> = [], rejecting: (@Sendable (any Error) -> InputRejection)? = nil,
        make: @escaping @MainActor @Sendable (SessionContext) throws -> Root
    ) throws(MachineRegistrationError) -> MachineDefinition {
        try hosting(
            name, summary, ObservableShape(outputs, inputs, rejecting: rejecting, named: name), transient,
            unsafeBitCast(make, to: (@Sendable (SessionContext) throws -> Root).self))
    }

    /// Hosts an observable class that is isolated to the main actor. See the form for other classes.
    public static func observable<Root: AnyObject & Sendable>(
        _ name: String, summary: String, outputs: [ObservableOutput<Root>], inputs: [MainActorInput<Root>],
        transient: Set<String> = [], rejecting: (@Sendable (any Error) -> InputRejection)? = nil,
        make: @escaping @MainActor @Sendable (SessionContext) throws -> Root
    ) throws(MachineRegistrationError) -> MachineDefinition {
        try observable(
            name, summary: summary, outputs: outputs, inputs: inputs.map(\.input), transient: transient,
            rejecting: rejecting, make: make)
    }

    /// Hosts an observable class whose sessions have parameters: `POST /v1/sessions {"machine":"cart","parameters":{"country":"FR"}}`.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters. Those that do not fit it get 422, and no session is created.
    ///   - sample: The parameters of the object that is inspected at registration; nil for some that the type accepts, such as
    ///     empty texts and zeros.
    ///   - outputs: The outputs, by name and key path. Clients see these and no others.
    ///   - inputs: The inputs: methods with at most one value, and properties.
    ///   - transient: The names of properties that are not captured.
    ///   - rejecting: Returns the response to an error that a method throws.
    ///   - make: Creates the object of a session.
    /// - Throws: If the machine cannot be hosted, or the sample does not fit the parameters.
    public static func observable<Root: AnyObject & SendableMetatype, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        outputs: [ObservableOutput<Root>], inputs: [ObservableInput<Root>], transient: Set<String> = [],
        rejecting: (@Sendable (any Error) -> InputRejection)? = nil,
        make: @escaping @MainActor @Sendable (SessionContext, Parameters) throws -> Root
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        let make = unsafeBitCast(make, to: (@Sendable (SessionContext, Parameters) throws -> Root).self)
        return typed.add(
            to: try hosting(
                name, summary, ObservableShape(outputs, inputs, rejecting: rejecting, named: name), transient,
                typed.factory(make)))
    }

    /// Hosts an observable class that is isolated to the main actor, and whose sessions have parameters.
    public static func observable<Root: AnyObject & Sendable, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        outputs: [ObservableOutput<Root>], inputs: [MainActorInput<Root>], transient: Set<String> = [],
        rejecting: (@Sendable (any Error) -> InputRejection)? = nil,
        make: @escaping @MainActor @Sendable (SessionContext, Parameters) throws -> Root
    ) throws(MachineRegistrationError) -> MachineDefinition {
        try observable(
            name, summary: summary, parameters: parameters, sample: sample, outputs: outputs,
            inputs: inputs.map(\.input), transient: transient, rejecting: rejecting, make: make)
    }

    /// - Parameter make: The factory. It may be isolated to the main actor, which is the loop that calls it.
    private static func hosting<Root: AnyObject & SendableMetatype>(
        _ name: String, _ summary: String, _ shape: ObservableShape<Root>, _ transient: Set<String>,
        _ make: @escaping @Sendable (SessionContext) throws -> Root
    ) throws(MachineRegistrationError) -> MachineDefinition {
        guard Root.self is any Observable.Type || Root.self is any ObservableObject.Type else {
            throw MachineRegistrationError(
                machine: name, detail: "its class \(Root.self) is neither @Observable nor an ObservableObject")
        }
        SessionExecutors.install()
        let probe = try MachineProbe<ObservableShape<Root>>(of: name, transient: transient) {
            context throws(MachineRegistrationError) in
            let root = try MachineProbe<ObservableShape<Root>>.make(name, context, make)
            let machine = ObservableMachine(root, shape: shape, context: context)
            return (shape, machine, machine.resumableObjects)
        }
        var definition = MachineDefinition(
            name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs
        ) { context in
            ObservableMachine(try make(context), shape: shape, context: context)
        }
        probe.describe(&definition)
        return definition
    }
}

// The registrar belongs to the class and is not a part of its state.
extension ObservationRegistrar: WiringProperty {}

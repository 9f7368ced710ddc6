public import StateCapture

/// The parts of a machine whose members survive the process, if a host is wiring the machine for a session.
package enum CapturedParts {
    /// Registers an object that holds state: a store, or a machine without one.
    package static func register(_ object: AnyObject, named name: String) {
        StateRegistry.current?.registerMembers(of: object, named: name)
    }

    /// Registers the `@Published` properties and current-value subjects of an input, unless it is also the owner, whose
    /// members are registered anyway.
    package static func register<Input: InputType>(input: Input, of owner: AnyObject) {
        guard let registry = StateRegistry.current else { return }
        register(input, of: owner, named: "input", .holders, with: registry)
    }

    /// Registers the members of an output, unless it is also the owner. The members of a structure cannot change,
    /// except those whose values live in objects.
    package static func register<Output: OutputType>(output: Output, of owner: AnyObject) {
        guard let registry = StateRegistry.current else { return }
        register(output, of: owner, named: "output", type(of: output) is AnyClass ? .all : .holders, with: registry)
    }

    private static func register<Part>(
        _ part: Part, of owner: AnyObject, named name: String, _ scope: MemberScope, with registry: StateRegistry
    ) {
        guard type(of: part) is AnyClass else {
            // A copy is enough, because only members whose values live in objects are captured.
            registry.registerMembers(ofCopy: part, named: name, scope: scope)
            return
        }
        let object = part as AnyObject
        if object !== owner { registry.registerMembers(of: object, named: name, scope: scope) }
    }
}

/// A machine that registers its members itself, before its pipelines are wired.
package protocol SelfCapturing: AnyObject {
    var capturedStore: AnyObject { get }
}

// The factory recreates proxies. The objects behind them are captured by their machine.
extension InputProxy: WiringProperty {}
extension OutputProxy: WiringProperty {}
extension SubjectProxy: WiringProperty {}

/// A set of outputs that a part of a session's viewers may see. Declared with ``MachineDefinition/views(_:by:)``.
public struct OutputView: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// All outputs, including those that are added to the machine later.
    public static let all = OutputView(names: nil)

    /// The names of the outputs; nil for all.
    let names: [String]?

    private init(names: [String]?) {
        self.names = names
    }

    /// Creates a view of outputs.
    ///
    /// - Parameter outputs: The names of the outputs; an empty array for a view without outputs.
    public init(_ outputs: [String]) {
        names = outputs
    }

    /// Creates a view of outputs.
    public init(arrayLiteral outputs: String...) {
        names = outputs
    }
}

/// The views of a machine, and the rule that chooses one of them.
struct OutputViews: Sendable {
    let declared: [String: OutputView]
    let choose: @Sendable (Viewer) -> String?
}

extension MachineDefinition {
    /// Returns the definition with views: each viewer sees the outputs of the view that a rule chooses for it, as if the machine had
    /// no others.
    ///
    ///     try .ricemill("poker", summary: "A hand of poker.") { context in … }
    ///         .views(["dealer": .all, "table": ["board", "pot"]]) { viewer in viewer.isOwner ? "dealer" : "table" }
    ///
    /// The rule applies to snapshots, streams, the changes in responses to inputs, and the description of the machine. A turn that
    /// changes none of a view's outputs sends nothing to its streams. The version of the session counts all turns, so a viewer that
    /// compares versions learns how many turns there were. Input names, and the reasons with which inputs are refused, do not
    /// depend on the view.
    ///
    /// The rule is called on the event loop for each request, so it must not wait, and it must return the same view for the same
    /// viewer. A stream keeps its view until its client presents a newer credential for which the rule chooses another one; then the
    /// stream ends, so that the client reconnects and receives a snapshot of its new view.
    ///
    /// A machine without a call of this method has one view with all outputs. Of several calls, the last one counts.
    ///
    /// - Parameters:
    ///   - declared: The views by name. An output that the machine does not have is an error when the host is created.
    ///   - choose: Returns the name of the viewer's view. For nil, the viewer sees no outputs. The same applies to a name that is
    ///     not declared, which is logged.
    public func views(
        _ declared: [String: OutputView], by choose: @escaping @Sendable (_ viewer: Viewer) -> String?
    ) -> MachineDefinition {
        var definition = self
        definition.outputViews = OutputViews(declared: declared, choose: choose)
        return definition
    }

    /// Returns whether every viewer of a session sees a value of an output from the beginning.
    package func isAlwaysPresent(_ output: OutputDefinition) -> Bool {
        // A viewer for whom no view is chosen sees nothing.
        output.isAlwaysPresent && outputViews == nil
    }

    /// Throws unless the machine has all outputs of its views.
    func checkViews() throws(MachineRegistrationError) {
        guard let declared = outputViews?.declared else { return }
        func refuse(_ detail: String) -> MachineRegistrationError {
            MachineRegistrationError(machine: name, detail: detail)
        }
        guard !declared.isEmpty else { throw refuse("expected at least one view, got a rule for views only") }
        let known = outputs.map(\.name)
        for (view, outputs) in declared.sorted(by: { $0.key < $1.key }) {
            for output in outputs.names ?? [] where !known.contains(output) {
                let hint = Nearest.name(for: output, among: known).map { ", did you mean \"\($0)\"?" }
                let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
                throw refuse(
                    "the view \"\(view)\" contains the output \"\(output)\", which does not exist"
                        + (hint ?? "; the outputs are: \(names)"))
            }
        }
    }
}

import Log

/// The views of a registered machine, with what is computed once for each. Immutable and shared by all loops.
final class RegisteredViews: Sendable {
    struct View: Sendable {
        /// The outputs; nil for all.
        let filter: OutputFilter?
        /// The content of `GET /v1/machines/{machine}`.
        let json: [UInt8]
    }

    private let machine: String
    private let views: [String: View]
    private let nothing: View
    private let choose: @Sendable (Viewer) -> String?

    /// - Parameter describe: Returns the description of the machine with the outputs of a filter; nil for all.
    init(_ views: OutputViews, of definition: MachineDefinition, _ describe: (OutputFilter?) -> [UInt8]) {
        machine = definition.name
        choose = views.choose
        self.views = views.declared.mapValues { view in
            let filter = OutputFilter(view, of: definition)
            return View(filter: filter, json: describe(filter))
        }
        let filter = OutputFilter([], of: definition)
        nothing = View(filter: filter, json: describe(filter))
    }

    func view(for viewer: Viewer, _ log: Log) -> View {
        guard let name = choose(viewer) else { return nothing }
        if let view = views[name] { return view }
        // Nothing, because the rule has certainly not meant to show more than it has declared.
        log.limited(
            .error, "the rule of a machine has chosen a view that is not declared",
            ["machine": .text(machine), "view": .text(name)])
        return nothing
    }
}

extension OutputFilter {
    /// Creates the filter of a view. Returns nil if it contains all outputs.
    convenience init?(_ view: OutputView, of definition: MachineDefinition) {
        guard let names = view.names else { return nil }
        let indices = definition.outputs.indices.filter { names.contains(definition.outputs[$0].name) }
        guard indices.count < definition.outputs.count else { return nil }
        self.init(indices: Set(indices), names: Set(names), tag: OutputFilter.tag(of: Set(names)))
    }

    /// Returns a number that identifies a set of outputs, in every process; never 0.
    private static func tag(of names: Set<String>) -> UInt32 {
        // FNV-1a. Names contain no zero byte.
        var hash: UInt32 = 2_166_136_261
        for name in names.sorted() {
            for byte in Array(name.utf8) + [0] { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        }
        return max(1, hash)
    }
}

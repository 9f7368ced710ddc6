public import CombineCore

/// The result of ``ResolverType/polish(input:store:extra:)``: the machine's output and the tokens of its pipelines.
public struct Polished<Output> {
    let output: Output?
    let cancellables: [AnyCancellable]
    let defect: MachineDefect?

    init(defect: MachineDefect) {
        output = nil
        cancellables = []
        self.defect = defect
    }
}

extension Polished where Output: StoredOutputType {
    /// Creates a result whose output is the store. The machine retains the cancellables.
    public init(cancellables: [AnyCancellable]) {
        output = nil
        self.cancellables = cancellables
        defect = nil
    }
}

extension Polished where Output: OutputType {
    /// Creates a result with the given output. The machine retains the cancellables.
    public init(output: Output, cancellables: [AnyCancellable]) {
        self.output = output
        self.cancellables = cancellables
        defect = nil
    }
}

public import CombineCore

/// What ``ResolverType/polish(input:store:extra:)`` made: the machine's output and what keeps its pipelines going.
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
    /// The output is the store; the machine keeps the cancellables.
    public init(cancellables: [AnyCancellable]) {
        output = nil
        self.cancellables = cancellables
        defect = nil
    }
}

extension Polished where Output: OutputType {
    /// The output is this one; the machine keeps the cancellables.
    public init(output: Output, cancellables: [AnyCancellable]) {
        self.output = output
        self.cancellables = cancellables
        defect = nil
    }
}

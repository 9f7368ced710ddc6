import CombineCore
import Ricemill

/// A ledger as a class that wires itself.
final class ObservableLedger: MachineType, ObservableObject {
    final class Input: BindableInputType {
        let note = PassthroughSubject<String, Never>()
    }

    final class Output: OutputType {
        @Published var marks: [String] = []
        @Published var count = 0
    }

    let input: InputProxy<Input>
    let output: OutputProxy<Output>
    private var cancellables: Set<AnyCancellable> = []

    init() {
        let (input, output) = (Input(), Output())
        self.input = InputProxy(input)
        self.output = OutputProxy(output)
        input.note.sink { mark in
            Trap.spring(by: mark)
            output.marks.append(mark)
            output.count += 1
        }.store(in: &cancellables)
    }
}

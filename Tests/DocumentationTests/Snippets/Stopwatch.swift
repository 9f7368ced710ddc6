import Combine
import Granary
import Ricemill
import RicemillAdapter

final class Stopwatch: MachineType, ObservableObject {
    final class Input: BindableInputType {
        let start = PassthroughSubject<Void, Never>()
        let stop = PassthroughSubject<Void, Never>()
    }

    final class Output: OutputType {
        @Published var seconds = 0
    }

    let input: InputProxy<Input>
    let output: OutputProxy<Output>
    private var cancellables: Set<AnyCancellable> = []

    init(ticks: AnyPublisher<Void, Never>) {
        let (input, output) = (Input(), Output())
        self.input = InputProxy(input)
        self.output = OutputProxy(output)
        input.start.map { true }
            .merge(with: input.stop.map { false })
            .map { isRunning in isRunning ? ticks : Empty().eraseToAnyPublisher() }
            .switchToLatest()
            .sink { output.seconds += 1 }
            .store(in: &cancellables)
    }
}

func stopwatch() throws -> MachineDefinition {
    try .ricemill("stopwatch", summary: "Counts seconds.") { context in
        Stopwatch(ticks: context.timer("tick", every: .seconds(1)))
    }
}

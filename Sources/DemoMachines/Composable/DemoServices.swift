public import ComposableArchitecture
public import Dispatch

/// The services that the demos are given where nobody has better ones: they know everything by themselves, and take a
/// moment as a network would.
public struct DemoServices {
    private let mainQueue: AnySchedulerOf<DispatchQueue>

    /// Services that answer on a scheduler.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>) {
        self.mainQueue = mainQueue
    }

    /// Something true about a number.
    public func numberFact(_ number: Int) -> Effect<String, NumberFactError> {
        answer(Self.fact(number))
    }

    /// Something true about a number, told at length.
    public func trivia(_ number: Int) -> Effect<String, TriviaError> {
        answer(Self.fact(number))
    }

    /// The places whose name begins like that.
    public func searchLocation(_ query: String) -> Effect<[WeatherLocation], WeatherFailure> {
        let found = Self.places.enumerated()
            .filter { $0.element.lowercased().hasPrefix(query.lowercased()) }
            .map { WeatherLocation(id: $0.offset, title: $0.element) }
        return answer(found)
    }

    /// The weather at a place, which is always the same.
    public func weather(_ id: Int) -> Effect<WeatherForecast, WeatherFailure> {
        answer(WeatherForecast(id: id, temperatures: (0..<3).map { Double((id * 7 + $0 * 3) % 30) }))
    }

    /// A file that arrives within five seconds, with news ten times a second.
    public func download(_ id: Int) -> Effect<DownloadEvent, Never> {
        let steps = (1...50).map { step in
            Effect<DownloadEvent, Never>(value: step == 50 ? .finished : .progress(Double(step) / 50))
                .delay(for: .milliseconds(100), scheduler: mainQueue)
                .eraseToEffect()
        }
        return .concatenate(steps)
    }

    private func answer<Output, Failure: Error>(_ value: Output) -> Effect<Output, Failure> {
        Effect(value: value).delay(for: .milliseconds(300), scheduler: mainQueue).eraseToEffect()
    }

    private static func fact(_ number: Int) -> String {
        let divisors = number > 1 ? (2..<max(3, number)).prefix(1000).filter { number % $0 == 0 } : []
        if number > 1, divisors.isEmpty || divisors == [number] { return "\(number) is a prime number." }
        if number.isMultiple(of: 2) { return "\(number) is an even number." }
        return "\(number) is an odd number."
    }

    private static let places = ["Berlin", "Bern", "Brooklyn", "Kobe", "Kyoto", "Lisbon", "Osaka", "Oslo", "Tokyo"]
}

public import ComposableArchitecture
public import Dispatch

/// The default services of the demos. They compute their responses locally and delay them as a network would.
public struct DemoServices {
    private let mainQueue: AnySchedulerOf<DispatchQueue>

    /// Creates services that respond on a scheduler.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>) {
        self.mainQueue = mainQueue
    }

    /// Returns a fact about a number.
    public func numberFact(_ number: Int) -> Effect<String, NumberFactError> {
        answer(Self.fact(number))
    }

    /// Returns trivia about a number.
    public func trivia(_ number: Int) -> Effect<String, TriviaError> {
        answer(Self.fact(number))
    }

    /// Returns the places whose names begin with a text.
    public func searchLocation(_ query: String) -> Effect<[WeatherLocation], WeatherFailure> {
        let found = Self.places.enumerated()
            .filter { $0.element.lowercased().hasPrefix(query.lowercased()) }
            .map { WeatherLocation(id: $0.offset, title: $0.element) }
        return answer(found)
    }

    /// Returns the weather forecast of a place, which never changes.
    public func weather(_ id: Int) -> Effect<WeatherForecast, WeatherFailure> {
        answer(WeatherForecast(id: id, temperatures: (0..<3).map { Double((id * 7 + $0 * 3) % 30) }))
    }

    /// Returns a download that takes five seconds and reports its progress ten times per second.
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
        // Bounded, because clients choose the number.
        let divisors = number > 1 ? (2..<max(3, number)).prefix(1000).filter { number % $0 == 0 } : []
        if number > 1, divisors.isEmpty || divisors == [number] { return "\(number) is a prime number." }
        if number.isMultiple(of: 2) { return "\(number) is an even number." }
        return "\(number) is an odd number."
    }

    private static let places = ["Berlin", "Bern", "Brooklyn", "Kobe", "Kyoto", "Lisbon", "Osaka", "Oslo", "Tokyo"]
}

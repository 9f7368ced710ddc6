public import ComposableArchitecture
public import Dispatch

/// A place with weather.
public struct WeatherLocation: Equatable, Codable, Identifiable, Sendable {
    /// What it is known by.
    public var id: Int
    var title: String

    /// A place.
    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// The weather of the days to come, in degrees.
public struct WeatherForecast: Equatable, Codable, Sendable {
    var id: Int
    var temperatures: [Double]

    /// The weather of a place.
    public init(id: Int, temperatures: [Double]) {
        self.id = id
        self.temperatures = temperatures
    }
}

/// The service does not answer.
public struct WeatherFailure: Error, Equatable, Sendable {
    /// No reason is given.
    public init() {}
}

/// A search, what it found, and the weather at one of the places.
public struct WeatherState: Equatable, Encodable, Sendable {
    var locations: [WeatherLocation] = []
    var locationWeather: WeatherForecast?
    var locationWeatherRequestInFlight: WeatherLocation?
    var searchQuery = ""

    /// Nothing is searched for.
    public init() {}
}

/// What can happen, and what the service answers.
public enum WeatherAction: Equatable, Sendable {
    case locationsResponse(Result<[WeatherLocation], WeatherFailure>)
    case locationTapped(id: Int)
    case locationWeatherResponse(Result<WeatherForecast, WeatherFailure>)
    case searchQueryChanged(String)
}

/// The scheduler, and the service.
public struct WeatherEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var searchLocation: (String) -> Effect<[WeatherLocation], WeatherFailure>
    var weather: (Int) -> Effect<WeatherForecast, WeatherFailure>

    /// What the feature depends on.
    public init(
        mainQueue: AnySchedulerOf<DispatchQueue>,
        searchLocation: @escaping (String) -> Effect<[WeatherLocation], WeatherFailure>,
        weather: @escaping (Int) -> Effect<WeatherForecast, WeatherFailure>
    ) {
        self.mainQueue = mainQueue
        self.searchLocation = searchLocation
        self.weather = weather
    }
}

/// The latest request wins: typing is debounced, and a tap cancels the request of the tap before.
public let weatherReducer = Reducer<WeatherState, WeatherAction, WeatherEnvironment> { state, action, environment in
    struct SearchLocationID: Hashable {}
    struct SearchWeatherID: Hashable {}

    switch action {
    case .locationsResponse(.success(let locations)):
        state.locations = locations
        return .none
    case .locationsResponse(.failure):
        state.locations = []
        return .none
    case .locationTapped(let id):
        guard let location = state.locations.first(where: { $0.id == id }) else { return .none }
        state.locationWeatherRequestInFlight = location
        return environment.weather(id)
            .receive(on: environment.mainQueue)
            .catchToEffect()
            .map(WeatherAction.locationWeatherResponse)
            .cancellable(id: SearchWeatherID(), cancelInFlight: true)
    case .locationWeatherResponse(.success(let forecast)):
        state.locationWeather = forecast
        state.locationWeatherRequestInFlight = nil
        return .none
    case .locationWeatherResponse(.failure):
        state.locationWeather = nil
        state.locationWeatherRequestInFlight = nil
        return .none
    case .searchQueryChanged(let query):
        state.searchQuery = query
        guard !query.isEmpty else {
            state.locations = []
            state.locationWeather = nil
            state.locationWeatherRequestInFlight = nil
            return .merge(.cancel(id: SearchLocationID()), .cancel(id: SearchWeatherID()))
        }
        return environment.searchLocation(query)
            .receive(on: environment.mainQueue)
            .eraseToEffect()
            .debounce(id: SearchLocationID(), for: 0.3, scheduler: environment.mainQueue)
            .catchToEffect()
            .map(WeatherAction.locationsResponse)
    }
}

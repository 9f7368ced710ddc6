public import ComposableArchitecture
public import Dispatch

/// A place with a weather forecast.
public struct WeatherLocation: Equatable, Codable, Identifiable, Sendable {
    /// The identifier of the place.
    public var id: Int
    var title: String

    /// Creates a place.
    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// The temperatures of the next days, in degrees.
public struct WeatherForecast: Equatable, Codable, Sendable {
    var id: Int
    var temperatures: [Double]

    /// Creates the forecast of a place.
    public init(id: Int, temperatures: [Double]) {
        self.id = id
        self.temperatures = temperatures
    }
}

/// The weather service failed.
public struct WeatherFailure: Error, Equatable, Sendable {
    /// Creates an error.
    public init() {}
}

/// A search, its results, and the forecast of one of the places.
public struct WeatherState: Equatable, Encodable, Sendable {
    var locations: [WeatherLocation] = []
    var locationWeather: WeatherForecast?
    var locationWeatherRequestInFlight: WeatherLocation?
    var searchQuery = ""

    /// Creates an empty search.
    public init() {}
}

/// The actions of the user and the responses of the service.
public enum WeatherAction: Equatable, Sendable {
    case locationsResponse(Result<[WeatherLocation], WeatherFailure>)
    case locationTapped(id: Int)
    case locationWeatherResponse(Result<WeatherForecast, WeatherFailure>)
    /// The server was restarted, and the requests are not running any more.
    case resumed
    case searchQueryChanged(String)
}

/// The scheduler and the weather service.
public struct WeatherEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var searchLocation: (String) -> Effect<[WeatherLocation], WeatherFailure>
    var weather: (Int) -> Effect<WeatherForecast, WeatherFailure>

    /// Creates an environment from its dependencies.
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

/// The latest request wins: typing is debounced, and a tap cancels the request of the previous tap.
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
    case .resumed:
        // Whether the places are those of the query is not known, so they are requested again.
        let search: Effect<WeatherAction, Never> =
            state.searchQuery.isEmpty ? .none : Effect(value: .searchQueryChanged(state.searchQuery))
        let weather: Effect<WeatherAction, Never> =
            state.locationWeatherRequestInFlight.map { Effect(value: .locationTapped(id: $0.id)) } ?? .none
        return .merge(search, weather)
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

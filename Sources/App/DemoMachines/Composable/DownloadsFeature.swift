public import ComposableArchitecture
public import Dispatch
public import MachineHost

/// An event of a running download.
public enum DownloadEvent: Equatable, Sendable {
    /// The downloaded fraction, from 0 to 1.
    case progress(Double)
    /// The download is complete.
    case finished
}

/// A file and its download state.
public struct Download: Equatable, Encodable, Identifiable, Sendable {
    /// The download state of a file.
    public enum Mode: String, Encodable, Sendable {
        case notDownloaded
        case downloading
        case downloaded
    }

    /// The identifier of the file.
    public let id: Int
    let title: String
    var mode = Mode.notDownloaded
    var progress = 0.0
    var alert: AlertState<DownloadAction>?
}

extension Download: JSONDescribed {
    /// The members that are encoded.
    public static var jsonShape: JSONShape {
        .members([
            "id": Int.self, "title": String.self, "mode": Mode.self, "progress": Double.self,
            "alert": AlertState<DownloadAction>?.self,
        ])
    }
}

/// The actions on a file and the events of its download.
public enum DownloadAction: Equatable, Sendable {
    case alertDismissed
    case buttonTapped
    case deleteButtonTapped
    case event(DownloadEvent)
    /// The server was restarted, and the download is not running any more.
    case resumed
    case stopButtonTapped
}

/// The list of files.
public struct DownloadsState: Equatable, Encodable, Sendable {
    var downloads: IdentifiedArrayOf<Download>

    /// Creates a list of files with these titles, none of which is downloaded.
    public init(titles: [String]) {
        downloads = IdentifiedArray(titles.enumerated().map { Download(id: $0, title: $1) })
    }
}

/// The actions on the files of the list.
public enum DownloadsAction: Equatable, Sendable {
    case download(id: Int, action: DownloadAction)
    /// The server was restarted, and the downloads are not running any more.
    case resumed
}

/// The scheduler and the download service.
public struct DownloadsEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var download: (Int) -> Effect<DownloadEvent, Never>

    /// Creates an environment from its dependencies.
    public init(
        mainQueue: AnySchedulerOf<DispatchQueue>, download: @escaping (Int) -> Effect<DownloadEvent, Never>
    ) {
        self.mainQueue = mainQueue
        self.download = download
    }
}

/// The cancellation identifier of the download of a file.
private struct DownloadID: Hashable {
    let file: Int
}

/// Downloads a file from its beginning.
private func download(_ file: Int, _ environment: DownloadsEnvironment) -> Effect<DownloadAction, Never> {
    environment.download(file)
        // The service reports ten times per second. Each action would be a turn and a change for all clients.
        .throttle(id: DownloadID(file: file), for: 1, scheduler: environment.mainQueue, latest: true)
        .map(DownloadAction.event)
        .cancellable(id: DownloadID(file: file))
}

private let downloadReducer = Reducer<Download, DownloadAction, DownloadsEnvironment> { state, action, environment in
    switch action {
    case .alertDismissed:
        state.alert = nil
        return .none
    case .buttonTapped:
        switch state.mode {
        case .notDownloaded:
            state.mode = .downloading
            return download(state.id, environment)
        case .downloading:
            state.alert = AlertState(
                title: "Stop before the map has arrived?",
                primaryButton: .destructive("Stop", send: .stopButtonTapped),
                secondaryButton: .cancel("Keep", send: .alertDismissed))
        case .downloaded:
            state.alert = AlertState(
                title: "Remove the map that has arrived?",
                primaryButton: .destructive("Remove", send: .deleteButtonTapped),
                secondaryButton: .cancel("Keep", send: .alertDismissed))
        }
        return .none
    case .deleteButtonTapped, .stopButtonTapped:
        state.alert = nil
        state.mode = .notDownloaded
        state.progress = 0
        return .cancel(id: DownloadID(file: state.id))
    case .resumed: return state.mode == .downloading ? download(state.id, environment) : .none
    case .event(.progress(let progress)):
        state.progress = progress
        return .none
    case .event(.finished):
        state.alert = nil
        state.mode = .downloaded
        state.progress = 1
        return .none
    }
}

/// A reusable component in a list. Progress is throttled to one update per second, and alerts are state.
public let downloadsReducer = Reducer<DownloadsState, DownloadsAction, DownloadsEnvironment>.combine(
    downloadReducer.forEach(state: \.downloads, action: /DownloadsAction.download, environment: { $0 }),
    Reducer { state, action, _ in
        guard case .resumed = action else { return .none }
        return .merge(state.downloads.ids.map { Effect(value: .download(id: $0, action: .resumed)) })
    })

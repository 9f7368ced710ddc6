public import ComposableArchitecture
public import Dispatch

/// What comes of a download while it runs.
public enum DownloadEvent: Equatable, Sendable {
    /// How much has arrived, from 0 to 1.
    case progress(Double)
    /// All of it has.
    case finished
}

/// A file that may be here, on its way, or not.
public struct Download: Equatable, Encodable, Identifiable, Sendable {
    /// What is known of the file.
    public enum Mode: String, Encodable, Sendable {
        case notDownloaded
        case downloading
        case downloaded
    }

    /// What it is known by.
    public let id: Int
    let title: String
    var mode = Mode.notDownloaded
    var progress = 0.0
    var alert: AlertState<DownloadAction>?
}

/// What can happen to a file, and what the service tells of it.
public enum DownloadAction: Equatable, Sendable {
    case alertDismissed
    case buttonTapped
    case deleteButtonTapped
    case event(DownloadEvent)
    case stopButtonTapped
}

/// The files.
public struct DownloadsState: Equatable, Encodable, Sendable {
    var downloads: IdentifiedArrayOf<Download>

    /// Files with these titles, none of which is here.
    public init(titles: [String]) {
        downloads = IdentifiedArray(titles.enumerated().map { Download(id: $0, title: $1) })
    }
}

/// What can happen to one of the files.
public enum DownloadsAction: Equatable, Sendable {
    case download(id: Int, action: DownloadAction)
}

/// The scheduler, and the service.
public struct DownloadsEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var download: (Int) -> Effect<DownloadEvent, Never>

    /// What the feature depends on.
    public init(
        mainQueue: AnySchedulerOf<DispatchQueue>, download: @escaping (Int) -> Effect<DownloadEvent, Never>
    ) {
        self.mainQueue = mainQueue
        self.download = download
    }
}

/// What one file's download is cancelled by.
private struct DownloadID: Hashable {
    let file: Int
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
            return environment.download(state.id)
                .throttle(id: DownloadID(file: state.id), for: 1, scheduler: environment.mainQueue, latest: true)
                .map(DownloadAction.event)
                .cancellable(id: DownloadID(file: state.id))
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

/// A component in a list, with progress once a second however often it is told, and questions as data.
public let downloadsReducer = Reducer<DownloadsState, DownloadsAction, DownloadsEnvironment>.combine(
    downloadReducer.forEach(state: \.downloads, action: /DownloadsAction.download, environment: { $0 }))

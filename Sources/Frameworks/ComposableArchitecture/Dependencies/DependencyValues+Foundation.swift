public import CombineSchedulers
public import Foundation
public import FoundationNetworking

private enum MainRunLoopKey: DependencyKey {
    static var liveValue: AnySchedulerOf<RunLoop> { .main }

    static var testValue: AnySchedulerOf<RunLoop> {
        MissingOverride.report("mainRunLoop")
        return .immediate
    }
}

private enum NotificationCenterKey: DependencyKey {
    static var liveValue: NotificationCenter { .default }

    static var testValue: NotificationCenter {
        MissingOverride.report("notificationCenter")
        return NotificationCenter()
    }
}

private enum URLSessionKey: DependencyKey {
    static var liveValue: URLSession { .shared }

    static var testValue: URLSession {
        MissingOverride.report("urlSession")
        return .shared
    }
}

extension DependencyValues {
    /// The main run loop, or the session's scheduler inside a hosted machine.
    public var mainRunLoop: AnySchedulerOf<RunLoop> {
        get { self[MainRunLoopKey.self] }
        set { self[MainRunLoopKey.self] = newValue }
    }

    /// The notification center. On a server, that of the process, which all sessions share.
    public var notificationCenter: NotificationCenter {
        get { self[NotificationCenterKey.self] }
        set { self[NotificationCenterKey.self] = newValue }
    }

    /// The session of requests to other servers. On a server, that of the process, which all sessions share.
    public var urlSession: URLSession {
        get { self[URLSessionKey.self] }
        set { self[URLSessionKey.self] = newValue }
    }
}

import AsyncBinding
import Foundation

/// A label on a terminal. It stands for any object of a user interface: it lives on the main actor, and one of its
/// properties is bound.
@MainActor
public final class Label: NSObject, LifetimeProviding {
    /// A binding to this label ends with it.
    public nonisolated let lifetime = Lifetime()
    /// What the label shows.
    public var text: String? {
        didSet { show(text) }
    }

    private let show: (String?) -> Void

    /// A label that calls `show` with each text that is set.
    public init(show: @escaping (String?) -> Void) {
        self.show = show
    }
}

import AsyncBinding
import Foundation

/// A label that is shown in a terminal, as an example of a user interface object on the main actor with a bindable
/// property.
@MainActor
public final class Label: NSObject, LifetimeProviding {
    /// The lifetime of the label, which ends its bindings.
    public nonisolated let lifetime = Lifetime()
    /// The text of the label.
    public var text: String? {
        didSet { show(text) }
    }

    private let show: (String?) -> Void

    /// Creates a label that calls `show` with each new text.
    public init(show: @escaping (String?) -> Void) {
        self.show = show
    }
}

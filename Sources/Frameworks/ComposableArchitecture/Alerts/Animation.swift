/// The name of an animation, so that code that animates changes on a phone compiles.
///
/// It has no effect on a server: the client decides how it shows changes.
public struct Animation: Hashable, Sendable {
    private enum Curve: Hashable {
        case platform
        case linear
        case easeIn
        case easeOut
        case easeInOut
        case spring
    }

    private let curve: Curve
    private let duration: Double?

    /// The animation of the platform.
    public static let `default` = Animation(curve: .platform, duration: nil)
    /// An animation with constant speed.
    public static let linear = Animation(curve: .linear, duration: nil)
    /// An animation that starts slowly.
    public static let easeIn = Animation(curve: .easeIn, duration: nil)
    /// An animation that ends slowly.
    public static let easeOut = Animation(curve: .easeOut, duration: nil)
    /// An animation that starts and ends slowly.
    public static let easeInOut = Animation(curve: .easeInOut, duration: nil)
    /// An animation that moves like a spring.
    public static let spring = Animation(curve: .spring, duration: nil)

    /// Returns an animation with constant speed.
    public static func linear(duration: Double) -> Animation { Animation(curve: .linear, duration: duration) }
    /// Returns an animation that starts slowly.
    public static func easeIn(duration: Double) -> Animation { Animation(curve: .easeIn, duration: duration) }
    /// Returns an animation that ends slowly.
    public static func easeOut(duration: Double) -> Animation { Animation(curve: .easeOut, duration: duration) }
    /// Returns an animation that starts and ends slowly.
    public static func easeInOut(duration: Double) -> Animation { Animation(curve: .easeInOut, duration: duration) }
}

/// The name of a transaction, so that code that describes how a phone shows changes compiles.
///
/// It has no effect on a server: the client decides how it shows changes.
public struct Transaction: Hashable, Sendable {
    /// The animation of the changes.
    public var animation: Animation?
    /// Whether views that change with the transaction ignore their own animations.
    public var disablesAnimations = false

    /// Creates a transaction without an animation.
    public init() {}

    /// Creates a transaction with an animation.
    public init(animation: Animation?) {
        self.animation = animation
    }
}

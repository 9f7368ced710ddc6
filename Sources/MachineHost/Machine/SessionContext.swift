public import HTTPModel

/// What a machine gets from the session that it is made for.
public final class SessionContext {
    /// The loop that the session lives on.
    public let loop: any EventLoop

    /// A context on that loop.
    public init(loop: any EventLoop) {
        self.loop = loop
    }
}

/// Called in the `deinit` of every class that holds a one-word lock, so that the `deinit` is not inlined into clients.
///
/// The compiler (6.3) would copy a short `deinit` into the client's module and there stumble over its noncopyable
/// parts. A `deinit` that calls something internal stays where it is; the attribute keeps the call from being dropped.
@_optimize(none)
@inline(never)
func stayOutOfClients() {}

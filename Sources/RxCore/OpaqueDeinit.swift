/// Called in the `deinit` of every class that holds a one-word lock, so that the `deinit` is not inlined into clients,
/// where the compiler (6.3) would stumble over the noncopyable lock.
@_optimize(none)
@inline(never)
func stayOutOfClients() {}

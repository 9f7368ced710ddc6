/// Prevents the optimizer from inlining a `deinit` into clients.
///
/// Every class with a one-word lock calls this function in its `deinit`. Without it, compiler 6.3 fails on the
/// noncopyable lock when it inlines the `deinit` into another module.
@_optimize(none)
@inline(never)
func stayOutOfClients() {}

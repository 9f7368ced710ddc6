extension MainCapable {
    /// The substitute for this scheduler on the calling thread, if this scheduler is "main".
    package var substitute: (any MainSubstitute)? {
        guard let current = MainContext.current, isMain else { return nil }
        return current
    }
}

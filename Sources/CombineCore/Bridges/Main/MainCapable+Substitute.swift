extension MainCapable {
    /// What stands in for this scheduler on the calling thread, if this one is "main".
    package var substitute: (any MainSubstitute)? {
        guard let current = MainContext.current, isMain else { return nil }
        return current
    }
}

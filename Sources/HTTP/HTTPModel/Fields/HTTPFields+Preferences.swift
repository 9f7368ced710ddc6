extension HTTPFields {
    /// Returns whether a client has a preference (RFC 7240 §2). The case of its name does not matter, and it may have a value and
    /// parameters.
    ///
    /// - Parameter name: The name in lower case.
    package func prefers(_ name: String) -> Bool {
        values(.prefer).contains { value in
            value.split(separator: ",").contains { preference in
                let token = preference.prefix { $0 != ";" && $0 != "=" }
                return token.filter { $0 != " " && $0 != "\t" }.lowercased() == name
            }
        }
    }
}

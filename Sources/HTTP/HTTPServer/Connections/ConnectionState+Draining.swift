extension ConnectionState {
    enum DrainAction {
        /// The connection is busy and ends after its response.
        case none
        /// No request has arrived, but one may be in flight: wait for it for a short time.
        case awaitFirstRequest
        /// A request may have arrived that no event has reported yet: read once before closing the connection.
        case readOnce
    }

    /// Returns the action when the server shuts down.
    ///
    /// - Parameter isIdle: Whether there are neither unparsed input bytes nor unsent output bytes.
    func drainBegan(isIdle: Bool) -> DrainAction {
        guard case .reading(let isFirst) = phase, isIdle else { return .none }
        return isFirst ? .awaitFirstRequest : .readOnce
    }
}

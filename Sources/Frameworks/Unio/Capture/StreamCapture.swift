import StateCapture

/// Captures the parts of a stream that is created while a session's machine is wired.
enum StreamCapture {
    /// Captures the members of an input or a state, and puts back their stored states if the machine is restored.
    ///
    /// Called before the stream is wired, so that its logic finds the restored values.
    ///
    /// - Parameters:
    ///   - part: The input or the state.
    ///   - stream: The type that names the stream. Several streams of one type are told apart by the order of their
    ///     creation.
    ///   - name: The name of the part: `state`.
    /// - Returns: The part to use, in which the stored values of a structure have been put back.
    static func members<Part>(_ part: Part, of stream: Any.Type, named name: String) -> Part {
        guard let registry = StateRegistry.current else { return part }
        let name = "\(stream).\(name)"
        if Part.self is AnyClass {
            registry.registerMembers(of: part as AnyObject, named: name)
            return part
        }
        return registry.registerMembers(ofCopy: part, named: name)
    }
}

extension StateRegistry {
    /// Captures the members of an object, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - object: The object. Captured are its stored properties, including private ones.
    ///   - name: A name of the object: `store`.
    ///   - transient: The names of properties that are not captured.
    public func registerMembers(of object: AnyObject, named name: String, transient: Set<String> = []) {
        add(MemberLayout.of(type(of: object), transient: transient), of: .object(object), named: name)
    }

    /// Captures the members of a structure, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - type: The type of the structure.
    ///   - name: A name of the value: `state`.
    ///   - transient: The names of properties that are not captured.
    ///   - access: Calls a closure with the value. Changes of the closure are stored if the machine is restored.
    public func registerMembers<Root>(
        of type: Root.Type, named name: String, transient: Set<String> = [],
        access: @escaping (_ body: (inout Root) throws -> Void) throws -> Void
    ) {
        let root = MembersPart.Root.value { body in
            try access { root in try withUnsafeMutablePointer(to: &root) { try body(UnsafeMutableRawPointer($0)) } }
        }
        add(MemberLayout.of(type, transient: transient), of: root, named: name)
    }
}

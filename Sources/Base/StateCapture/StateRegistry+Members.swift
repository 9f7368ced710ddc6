extension StateRegistry {
    /// Captures the members of an object, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - object: The object. Captured are its stored properties, including private ones.
    ///   - name: A name of the object: `store`.
    ///   - transient: The names of properties that are not captured, in addition to those of the registry.
    ///   - scope: The properties that are captured.
    public func registerMembers(
        of object: AnyObject, named name: String, transient: Set<String> = [], scope: MemberScope = .all
    ) {
        add(layout(of: type(of: object), transient, scope), of: .object(object), named: name)
    }

    /// Captures the members of a value, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - type: The type of the value. An enumeration or a collection is captured as a whole.
    ///   - name: A name of the value: `state`.
    ///   - transient: The names of properties that are not captured, in addition to those of the registry.
    ///   - scope: The properties that are captured.
    ///   - access: Calls a closure with the value. Changes of the closure are stored if the machine is restored.
    public func registerMembers<Root>(
        of type: Root.Type, named name: String, transient: Set<String> = [], scope: MemberScope = .all,
        access: @escaping (_ body: (inout Root) throws -> Void) throws -> Void
    ) {
        let root = MembersPart.Root.value { body in
            try access { root in try withUnsafeMutablePointer(to: &root) { try body(UnsafeMutableRawPointer($0)) } }
        }
        add(layout(of: type, transient, scope), of: root, named: name)
    }

    /// Captures the members of a copy of a value, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - value: The value. What changes of it later lives in objects.
    ///   - name: A name of the value: `state`.
    ///   - scope: The properties that are captured.
    /// - Returns: The copy, with the stored states.
    @discardableResult
    package func registerMembers<Root>(ofCopy value: Root, named name: String, scope: MemberScope = .all) -> Root {
        let copy = TypedCopy(value)
        add(layout(of: Root.self, [], scope), of: .copy(copy), named: name)
        return copy.value
    }

    private func layout(of type: any Any.Type, _ transient: Set<String>, _ scope: MemberScope) -> MemberLayout {
        let names = transient.isEmpty ? self.transient : self.transient.union(transient)
        return MemberLayout.of(type, transient: names, scope: scope)
    }
}

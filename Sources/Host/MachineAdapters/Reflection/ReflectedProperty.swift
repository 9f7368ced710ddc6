/// A stored property found by reflection.
package struct ReflectedProperty {
    /// The name in the source, without the underscore of a property wrapper.
    package let name: String
    package let value: Any

    /// Returns the stored properties of a value in source order, those of superclasses first. The order is the same for
    /// all values of a type; a type with a custom mirror must guarantee that.
    static func all(of value: Any) -> [ReflectedProperty] {
        var found: [ReflectedProperty] = []
        collect(Mirror(reflecting: value), into: &found)
        return found
    }

    /// Returns the value at a position of ``all(of:)``, without reading the others; nil beyond the last one.
    static func value(at position: Int, of value: Any) -> Any? {
        var position = position
        return find(&position, in: Mirror(reflecting: value))
    }

    private static func find(_ position: inout Int, in mirror: Mirror) -> Any? {
        if let superclass = mirror.superclassMirror, let found = find(&position, in: superclass) { return found }
        let children = mirror.children
        guard position < children.count else {
            position -= children.count
            return nil
        }
        return children[children.index(children.startIndex, offsetBy: position)].value
    }

    private static func collect(_ mirror: Mirror, into found: inout [ReflectedProperty]) {
        if let superclass = mirror.superclassMirror { collect(superclass, into: &found) }
        for child in mirror.children {
            let label = child.label ?? ""
            let isWrapper = child.value is any ReflectedPublished && label.hasPrefix("_")
            found.append(ReflectedProperty(name: isWrapper ? String(label.dropFirst()) : label, value: child.value))
        }
    }
}

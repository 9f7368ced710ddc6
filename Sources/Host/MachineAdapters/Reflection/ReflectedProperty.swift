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

    private static func collect(_ mirror: Mirror, into found: inout [ReflectedProperty]) {
        if let superclass = mirror.superclassMirror { collect(superclass, into: &found) }
        for child in mirror.children {
            let label = child.label ?? ""
            let isWrapper = child.value is any ReflectedPublished && label.hasPrefix("_")
            found.append(ReflectedProperty(name: isWrapper ? String(label.dropFirst()) : label, value: child.value))
        }
    }
}

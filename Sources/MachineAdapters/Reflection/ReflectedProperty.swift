/// A stored property that was found by reflection.
struct ReflectedProperty {
    /// The name in the source: a property wrapper's underscore is left out.
    let name: String
    let value: Any

    /// The stored properties of a value, superclasses' first, in the order of the source. The order is the same for all
    /// values of a type (a type that reflects itself by hand has to keep to that).
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

/// Creates the tree of a value.
struct Dumper {
    /// The objects of the trees and their numbers among those of their type. They are kept alive, so that no other takes their identity.
    private var objects: [ObjectIdentifier: (object: AnyObject, number: Int)] = [:]
    private var objectCounts: [String: Int] = [:]
    /// The objects of the current tree.
    private var seen: Set<ObjectIdentifier> = []

    /// Returns the tree of another value, in which objects of the trees before it have the same numbers.
    mutating func nextTree(of value: Any) -> DumpNode {
        seen.removeAll()
        return node(of: value)
    }

    /// Returns the tree of a value's own members, whatever it is to be shown like.
    mutating func members(of value: Any) -> DumpNode {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return .leaf("\(value)") }
        return .group(open: "(", children: members(of: mirror), close: ")", kind: .members)
    }

    /// Returns the tree of a value.
    ///
    /// - Parameter isRoot: Whether an enum's case is shown with the name of its type.
    mutating func node(of value: Any, isRoot: Bool = true) -> DumpNode {
        if let optional = value as? any AnyOptional {
            return optional.wrapped.map { node(of: $0, isRoot: isRoot) } ?? .leaf("nil")
        }
        if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
            return node(of: value.base, isRoot: isRoot)
        }
        switch value {
        case let type as any Any.Type: return .leaf("\(TypeName.full(type)).self")
        case let value as any CustomDumpStringConvertible:
            return .described(value.customDumpDescription, DumpedValue(value))
        case let value as any CustomDumpRepresentable: return node(of: value.customDumpValue, isRoot: false)
        case let value as any CustomDumpReflectable: return tree(of: value, value.customDumpMirror, isRoot)
        default: break
        }
        if let leaf = Self.leaf(of: value) { return leaf }
        if value is any ObservableState { return tree(of: value, Self.observed(Mirror(reflecting: value)), isRoot) }
        return tree(of: value, Mirror(reflecting: value), isRoot)
    }

    private mutating func tree(of value: Any, _ mirror: Mirror, _ isRoot: Bool) -> DumpNode {
        switch mirror.displayStyle {
        case .collection:
            let children = mirror.children.enumerated().map { index, child in
                var element = self.element(child.value, label: "[\(index)]")
                element.isIndex = true
                return element
            }
            return .group(open: "[", children: children, close: "]", kind: .elements)
        case .set:
            let children = Self.sorted(mirror.children.map { element($0.value, label: nil) })
            return .group(open: "Set([", children: children, close: "])", kind: .set)
        case .dictionary: return dictionary(mirror, isOrdered: !(value is any UnorderedDump))
        case .tuple: return .group(open: "(", children: members(of: mirror), close: ")", kind: .members)
        case .enum: return enumCase(value, mirror, isRoot)
        case .class: return object(value as AnyObject, mirror, isWhole: value is any CustomDumpReflectable)
        case .struct:
            let name = TypeName.short(mirror.subjectType)
            let children = members(of: mirror, isWhole: value is any CustomDumpReflectable)
            return .group(open: "\(name)(", children: children, close: ")", kind: .members)
        default: return .leaf("\(value)")
        }
    }

    private mutating func element(_ value: Any, label: String?) -> DumpChild {
        var element = member(value, label: label)
        element.id = (value as? any Identifiable).map { Self.id(of: $0) }
        return element
    }

    private static func id<Value: Identifiable>(of value: Value) -> AnyHashable { value.id }

    private mutating func object(_ object: AnyObject, _ mirror: Mirror, isWhole: Bool) -> DumpNode {
        let name = TypeName.short(mirror.subjectType), identity = ObjectIdentifier(object)
        let number = objects[identity]?.number ?? objectCounts[name, default: 0]
        if objects[identity] == nil {
            objectCounts[name] = number + 1
            objects[identity] = (object, number)
        }
        let isNew = seen.insert(identity).inserted
        let node =
            isNew
            ? DumpNode.group(
                open: "\(name)(", children: members(of: mirror, isWhole: isWhole), close: ")", kind: .members)
            : .leaf("\(name)(↩︎)")
        return .object(ObjectNumber(value: number), node)
    }

    private mutating func enumCase(_ value: Any, _ mirror: Mirror, _ isRoot: Bool) -> DumpNode {
        let type = isRoot ? TypeName.short(mirror.subjectType) : ""
        guard let child = mirror.children.first else { return .leaf("\(type).\(value)") }
        let open = "\(type).\(child.label ?? "@unknown")("
        let payload = Mirror(reflecting: child.value)
        if payload.displayStyle == .tuple {
            return .group(open: open, children: members(of: payload), close: ")", kind: .members)
        }
        return .group(open: open, children: [member(child.value, label: nil)], close: ")", kind: .members)
    }

    /// Returns the members of a mirror; unless it is to be shown as a whole, without those that macros have added to a type.
    private mutating func members(of mirror: Mirror, isWhole: Bool = true) -> [DumpChild] {
        let inherited = mirror.superclassMirror.map { members(of: $0, isWhole: isWhole) } ?? []
        let shown = mirror.children.filter { isWhole || $0.label?.hasPrefix("_$") != true }
        var children = shown.map { child in
            // Labels of a tuple without names are `.0` and `.1`.
            member(child.value, label: child.label.flatMap { $0.hasPrefix(".") ? nil : $0 })
        }
        // The only one of several members is on a line of its own.
        if children.count < mirror.children.count { children.indices.forEach { children[$0].isSimple = false } }
        return inherited + children
    }

    private mutating func member(_ value: Any, label: String?) -> DumpChild {
        DumpChild(label: label, node: node(of: value, isRoot: false), isSimple: Self.isSimple(value))
    }

    private mutating func dictionary(_ mirror: Mirror, isOrdered: Bool) -> DumpNode {
        var hasLabels = false
        let children = mirror.children.map { child -> DumpChild in
            if let label = child.label {
                hasLabels = true
                return member(child.value, label: label)
            }
            let pair = Array(Mirror(reflecting: child.value).children)
            guard pair.count == 2 else { return member(child.value, label: nil) }
            let key = node(of: pair[0].value, isRoot: false).lines().joined(separator: " ")
            return member(pair[1].value, label: key)
        }
        // A dictionary has another order in each process. Labels of a mirror are in the order of the value.
        return .group(
            open: "[", children: hasLabels || isOrdered ? children : Self.sorted(children), close: "]",
            kind: .dictionary(isOrdered: hasLabels || isOrdered))
    }

    private static func sorted(_ children: [DumpChild]) -> [DumpChild] {
        children.map { (child: $0, text: $0.label ?? $0.node.lines(depth: 1).joined(separator: "\n")) }
            .sorted { $0.text < $1.text }.map(\.child)
    }

    /// Returns the members of observable state under their own names, without what observes them.
    private static func observed(_ mirror: Mirror) -> Mirror {
        let members = mirror.children.filter { $0.label?.hasPrefix("_$") != true }
            .map { (label: $0.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }, value: $0.value) }
        guard mirror.displayStyle == .struct else { return mirror }
        return Mirror(mirror.subjectType, children: members, displayStyle: .struct)
    }

    /// Returns whether a value has no parts, so that it can stand on the line of a value that has no other member.
    private static func isSimple(_ value: Any) -> Bool {
        if let text = value as? any CustomDumpStringConvertible {
            return !text.customDumpDescription.contains(where: \.isNewline)
        }
        if let value = value as? any CustomDumpRepresentable { return isSimple(value.customDumpValue) }
        if let value = value as? any CustomDumpReflectable { return value.customDumpMirror.children.isEmpty }
        // An optional has its value as a part.
        if !(value is any AnyOptional), leaf(of: value) != nil { return true }
        return Mirror(reflecting: value).children.isEmpty
    }

    /// Returns the text of a value that is not shown by its parts; nil for others.
    private static func leaf(of value: Any) -> DumpNode? {
        switch value {
        case let text as any StringProtocol: .string(String(text))
        case let text as StaticString: .string("\(text)")
        case let character as Character: .leaf(character.debugDescription)
        case let scalar as Unicode.Scalar: .leaf("\"\(scalar)\"")
        case let id as StackElementID: .leaf("\(id)")
        case let id as ObjectIdentifier: .leaf("\(id)")
        case let number as any BinaryFloatingPoint: .leaf("\(number)")
        case let number as any BinaryInteger: .leaf("\(number)")
        case let isTrue as Bool: .leaf("\(isTrue)")
        case let duration as Duration: .leaf("\(duration)")
        case let path as AnyKeyPath: .leaf("\(path)")
        default: nil
        }
    }
}

/// A collection whose order has no meaning.
protocol UnorderedDump {}

extension Dictionary: UnorderedDump {}

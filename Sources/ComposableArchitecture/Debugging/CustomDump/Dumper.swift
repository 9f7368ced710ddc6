import FoundationEssentials

/// Creates the tree of a value.
struct Dumper {
    private var openObjects: Set<ObjectIdentifier> = []

    /// Returns the tree of a value.
    ///
    /// - Parameter isRoot: Whether an enum's case is shown with the name of its type.
    mutating func node(of value: Any, isRoot: Bool = true) -> DumpNode {
        if let optional = value as? any DumpedOptional {
            return optional.dumpedValue.map { node(of: $0, isRoot: isRoot) } ?? .leaf("nil")
        }
        switch value {
        case let value as any CustomDumpStringConvertible: return .leaf(value.customDumpDescription)
        case let value as any CustomDumpRepresentable: return node(of: value.customDumpValue, isRoot: isRoot)
        case let value as any CustomDumpReflectable: return tree(of: value, value.customDumpMirror, isRoot)
        default: break
        }
        if let text = Self.text(of: value) { return .leaf(text) }
        if value is any ObservableState { return tree(of: value, Self.observed(Mirror(reflecting: value)), isRoot) }
        return tree(of: value, Mirror(reflecting: value), isRoot)
    }

    private mutating func tree(of value: Any, _ mirror: Mirror, _ isRoot: Bool) -> DumpNode {
        switch mirror.displayStyle {
        case .collection:
            let children = mirror.children.enumerated().map { index, child in
                DumpChild(label: "[\(index)]", node: node(of: child.value, isRoot: false), isIndex: true)
            }
            return .group(open: "[", children: children, close: "]", kind: .elements)
        case .set:
            let children = mirror.children.map { DumpChild(label: nil, node: node(of: $0.value, isRoot: false)) }
            return .group(open: "Set([", children: Self.sorted(children), close: "])", kind: .entries)
        case .dictionary: return .group(open: "[", children: entries(mirror), close: "]", kind: .entries)
        case .tuple:
            return .group(open: "(", children: members(of: mirror), close: ")", kind: .members)
        case .enum: return enumCase(value, mirror, isRoot)
        case .class:
            let object = ObjectIdentifier(value as AnyObject)
            guard openObjects.insert(object).inserted else { return .leaf("\(Self.typeName(mirror))(↩︎)") }
            defer { openObjects.remove(object) }
            return .group(open: "\(Self.typeName(mirror))(", children: members(of: mirror), close: ")", kind: .members)
        case .struct:
            return .group(open: "\(Self.typeName(mirror))(", children: members(of: mirror), close: ")", kind: .members)
        default: return .leaf("\(value)")
        }
    }

    private mutating func enumCase(_ value: Any, _ mirror: Mirror, _ isRoot: Bool) -> DumpNode {
        let type = isRoot ? Self.typeName(mirror) : ""
        guard let child = mirror.children.first else { return .leaf("\(type).\(value)") }
        let open = "\(type).\(child.label ?? "")("
        let payload = Mirror(reflecting: child.value)
        if payload.displayStyle == .tuple {
            return .group(open: open, children: members(of: payload), close: ")", kind: .members)
        }
        let only = DumpChild(label: nil, node: node(of: child.value, isRoot: false))
        return .group(open: open, children: [only], close: ")", kind: .members)
    }

    private mutating func members(of mirror: Mirror) -> [DumpChild] {
        let inherited = mirror.superclassMirror.map { members(of: $0) } ?? []
        return inherited
            + mirror.children.map { child in
                // Labels of a tuple without names are `.0` and `.1`.
                let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
                return DumpChild(label: label, node: node(of: child.value, isRoot: false))
            }
    }

    private mutating func entries(_ mirror: Mirror) -> [DumpChild] {
        var hasLabels = false
        let children = mirror.children.map { child -> DumpChild in
            if let label = child.label {
                hasLabels = true
                return DumpChild(label: label, node: node(of: child.value, isRoot: false))
            }
            let pair = Array(Mirror(reflecting: child.value).children)
            guard pair.count == 2 else { return DumpChild(label: nil, node: node(of: child.value, isRoot: false)) }
            let key = node(of: pair[0].value, isRoot: false).lines.joined(separator: " ")
            return DumpChild(label: key, node: node(of: pair[1].value, isRoot: false))
        }
        // A dictionary has another order in each process. Labels of a mirror are in the order of the value.
        return hasLabels ? children : Self.sorted(children)
    }

    private static func sorted(_ children: [DumpChild]) -> [DumpChild] {
        children.sorted { ($0.label ?? $0.node.summary) < ($1.label ?? $1.node.summary) }
    }

    /// Returns the members of observable state under their own names, without what observes them.
    private static func observed(_ mirror: Mirror) -> Mirror {
        let members = mirror.children.filter { $0.label?.hasPrefix("_$") != true }
            .map { (label: $0.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }, value: $0.value) }
        guard mirror.displayStyle == .struct else { return mirror }
        return Mirror(mirror.subjectType, children: members, displayStyle: .struct)
    }

    /// Returns the text of a value that is not shown by its parts; nil for others.
    private static func text(of value: Any) -> String? {
        switch value {
        case let text as any StringProtocol:
            text.contains("\n") ? "\"\"\"\n\(text)\n\"\"\"" : String(text).debugDescription
        case let character as Character: character.debugDescription
        case let id as UUID: "UUID(\(id))"
        case let date as Date: "Date(\(date.formatted(.iso8601)))"
        case let url as URL: "URL(\(url.absoluteString))"
        case let id as StackElementID: "\(id)"
        case let number as any BinaryFloatingPoint: "\(number)"
        case let number as any BinaryInteger: "\(number)"
        case let isTrue as Bool: "\(isTrue)"
        case let duration as Duration: "\(duration)"
        case let type as any Any.Type: "\(String(reflecting: type).droppingModule).self"
        case let path as AnyKeyPath: "\(path)"
        default: nil
        }
    }

    /// The name of a type without its module: `Counter.State`.
    private static func typeName(_ mirror: Mirror) -> String {
        _typeName(mirror.subjectType, qualified: true).droppingPrivateContexts.droppingModule
    }
}

extension String {
    /// The qualified name of a type without the contexts of private types: `(unknown context at $7f00)`.
    fileprivate var droppingPrivateContexts: String {
        var rest = self[...]
        var result = ""
        while let start = rest.firstRange(of: "(unknown context at "),
            let end = rest[start.upperBound...].firstRange(of: ").")
        {
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// The qualified name of a type without the names of modules, also in its generic arguments.
    fileprivate var droppingModule: String {
        var result = ""
        var word = ""
        func flush() {
            // The first part of `Module.Type.Nested` is the module.
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            result += parts.count > 1 ? parts.dropFirst().joined(separator: ".") : word
            word = ""
        }
        for character in self {
            if character.isLetter || character.isNumber || character == "_" || character == "." || character == "$" {
                word.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}

private protocol DumpedOptional {
    var dumpedValue: Any? { get }
}

extension Optional: DumpedOptional {
    var dumpedValue: Any? { self }
}

public import FoundationEssentials

/// A type with its own output for test failures and debug logs.
public protocol CustomDebugOutputConvertible {
    /// The value, on one or more lines.
    var debugOutput: String { get }
}

/// Returns a description of a value with one property per line, so that two descriptions can be compared by line.
func debugOutput(_ value: Any) -> String {
    var printer = DebugPrinter()
    return printer.text(of: value)
}

/// Formats values and detects reference cycles.
private struct DebugPrinter {
    private var objects: Set<ObjectIdentifier> = []

    mutating func text(of value: Any) -> String {
        if let optional = value as? any AnyOptional {
            guard let wrapped = optional.wrapped else { return "nil" }
            return text(of: wrapped)
        }
        if let convertible = value as? any CustomDebugOutputConvertible { return convertible.debugOutput }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection: return list(mirror.children.map { text(of: $0.value) }, "[", "]")
        // Sets and dictionaries have a different order in each process, so their elements are sorted by description.
        case .set: return list(mirror.children.map { text(of: $0.value) }.sorted(), "Set([", "])")
        case .dictionary: return list(mirror.children.map { entry($0.value) }.sorted(), "[", "]")
        case .tuple: return members(of: mirror, in: "")
        case .struct where value is any ObservableState: return members(of: observed(mirror), in: typeName(mirror))
        case .struct:
            return mirror.children.isEmpty ? plain(value, mirror) : members(of: mirror, in: typeName(mirror))
        case .class: return object(value, mirror)
        case .enum: return enumCase(value, mirror)
        default: return plain(value, mirror)
        }
    }

    /// Returns the members of observable state under their own names, without what observes them.
    private func observed(_ mirror: Mirror) -> Mirror {
        let members = mirror.children.filter { $0.label?.hasPrefix("_$") != true }
            .map { (label: $0.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }, value: $0.value) }
        return Mirror(mirror.subjectType, children: members)
    }

    private mutating func object(_ value: Any, _ mirror: Mirror) -> String {
        let name = typeName(mirror)
        let identity = ObjectIdentifier(value as AnyObject)
        // An object that contains itself would recurse until the stack overflows.
        guard objects.insert(identity).inserted else { return "\(name)(↩︎)" }
        defer { objects.remove(identity) }
        return members(of: mirror, in: name)
    }

    private mutating func enumCase(_ value: Any, _ mirror: Mirror) -> String {
        let type = typeName(mirror)
        guard let child = mirror.children.first else { return "\(type).\(value)" }
        let payload = Mirror(reflecting: child.value)
        let name = "\(type).\(child.label ?? "")"
        if payload.displayStyle == .tuple { return members(of: payload, in: name) }
        return "\(name)(\n\(text(of: child.value).indented)\n)"
    }

    private mutating func entry(_ value: Any) -> String {
        let pair = Array(Mirror(reflecting: value).children)
        guard pair.count == 2 else { return text(of: value) }
        return "\(text(of: pair[0].value)): \(text(of: pair[1].value))"
    }

    private mutating func members(of mirror: Mirror, in name: String) -> String {
        var all: [Mirror.Child] = []
        var next: Mirror? = mirror
        while let current = next {
            all = Array(current.children) + all
            next = current.superclassMirror
        }
        if all.isEmpty { return "\(name)()" }
        let lines = all.map { child -> String in
            guard let label = child.label, label.first != "." else { return text(of: child.value).indented }
            return "\(label): \(text(of: child.value))".indented
        }
        return "\(name)(\n\(lines.joined(separator: ",\n"))\n)"
    }

    private func list(_ elements: [String], _ open: String, _ close: String) -> String {
        if elements.isEmpty { return "\(open)\n\(close)" }
        return "\(open)\n\(elements.map { "\($0.indented),\n" }.joined())\(close)"
    }

    private func plain(_ value: Any, _ mirror: Mirror) -> String {
        switch value {
        case let text as String: text.debugDescription
        case let character as Character: character.debugDescription
        case let scalar as Unicode.Scalar: "\"\(scalar)\""
        case let value as any CustomStringConvertible: value.description
        case let value as any CustomDebugStringConvertible: value.debugDescription
        default: mirror.displayStyle == .struct ? "\(typeName(mirror))()" : "\(value)"
        }
    }

    /// The name of the type without its module and generic arguments.
    private func typeName(_ mirror: Mirror) -> String {
        String(describing: mirror.subjectType)
    }
}

extension String {
    /// The text with each line indented by two spaces.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}

/// An optional, for code that does not know the type of its value.
protocol AnyOptional {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { self }
}

extension Date: CustomDebugOutputConvertible {
    /// The date in UTC, in ISO 8601 format.
    public var debugOutput: String { formatted(.iso8601) }
}

extension URL: CustomDebugOutputConvertible {
    /// The absolute URL.
    public var debugOutput: String { absoluteString }
}

/// The members that `@ObservableState` adds to a structure.
struct StructStateText {
    private let declaration: Declaration
    private let access: String
    private let members: [Declaration]

    init(_ declaration: Declaration) {
        self.declaration = declaration
        access = declaration.access
        members = declaration.members
    }

    var pieces: [String] {
        get throws(ExpansionError) {
            if let names = members.lazy.compactMap(ObservableStateMacro.untrackedNames).first {
                throw ExpansionError(
                    "@ObservableState requires a declaration of its own for each variable, got one for: "
                        + names.joined(separator: ", "))
            }
            return added
        }
    }

    private var added: [String] {
        var pieces = [
            "@ObservationStateIgnored \(access)var _$observationRegistrar = ComposableMacros.ObservationStateRegistrar()",
            """
            \(access)var _$id: ComposableMacros.ObservableStateID {
                _$observationRegistrar.id
            }
            """,
            """
            \(access)mutating func _$willModify() {
                _$observationRegistrar._$willModify()
            }
            """,
            """
            \(access)mutating func _$takeChanges(
                since baseline: inout ComposableMacros.ObservableStateID?
            ) -> ComposableMacros.ObservableStateChanges {
                _$observationRegistrar._$takeChanges(since: &baseline)
            }
            """,
        ]
        let observed = lines { Self.isObserved($0) ? "case \($0.name)" : nil }
        if members.contains(where: Self.isObserved) {
            // An enum that may have no cases cannot have raw values. The further case comes last, and has no name.
            let cases = (observed + (isConditional ? ["case _$none"] : [])).joined(separator: "\n").indented
            pieces.append("\(access)enum _$Member: Swift.Int, Swift.CaseIterable {\n\(cases)\n}")
        }
        if isCoded { pieces += coding }
        return pieces
    }

    private static func isObserved(_ member: Declaration) -> Bool {
        ObservableStateMacro.isTracked(member)
            || ObservableStateMacro.stored(member) != nil && member.hasAttribute("Presents")
    }

    /// Whether all observed members are in `#if`.
    private var isConditional: Bool { !declaration.unconditionalMembers.contains(where: Self.isObserved) }

    /// Whether the compiler derives how the structure is encoded or decoded.
    private var isCoded: Bool {
        let words = declaration.inherited.joined(separator: " ").split { !$0.isLetter && $0 != "_" }
        return !members.contains { $0.name == "CodingKeys" && $0.keyword == "enum" }
            && words.contains { ["Codable", "Encodable", "Decodable"].contains($0) }
    }

    /// The names of the members without the underscore of their storage, which the compiler would use.
    private var coding: [String] {
        let isEmpty = !members.contains { !Self.keys(of: $0).isEmpty }
        let isConditional = !isEmpty && !declaration.unconditionalMembers.contains { !Self.keys(of: $0).isEmpty }
        let raw = isEmpty || isConditional ? "" : "Swift.String, "
        let cases = keyLines { $0.isObserved && !isConditional ? "case \($0.key) = \"\($0.name)\"" : "case \($0.key)" }
        // An enum that may have no cases cannot have raw values, so its names are those of functions.
        let content = isConditional ? "\(cases)\n\(keyNames)" : cases
        var pieces = ["enum CodingKeys: \(raw)Swift.CodingKey {\n\(content.indented)\n}"]
        // What a type encodes itself may depend on any member.
        let encodesItself = members.contains { $0.keyword == "func" && $0.name == "encode" }
        if members.contains(where: Self.isObserved), !encodesItself {
            pieces.append(
                """
                \(access)static var _$memberNames: [Swift.String] {
                    _$Member.allCases\(isConditional ? ".dropLast()" : "").map {
                        "\\($0)"
                    }
                }
                """)
        }
        return pieces
    }

    /// The conformance of keys without raw values.
    private var keyNames: String {
        """
        var stringValue: Swift.String {
            switch self {
        \(keyLines { "case .\($0.key): return \"\($0.name)\"" }.indented)
            }
        }
        var intValue: Swift.Int? {
            nil
        }
        init?(stringValue: Swift.String) {
            switch stringValue {
        \(keyLines { "case \"\($0.name)\": self = .\($0.key)" }.indented)
            default: return nil
            }
        }
        init?(intValue: Swift.Int) {
            return nil
        }
        """
    }

    /// Returns a line for each key, with the directives around it.
    private func keyLines(_ line: (Key) -> String) -> String {
        lines { member in
            let keys = Self.keys(of: member)
            return keys.isEmpty ? nil : keys.map(line).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// A stored property, and the name under which it is encoded.
    private struct Key {
        let key: String
        let name: String
        let isObserved: Bool
    }

    private static func keys(of member: Declaration) -> [Key] {
        guard ObservableStateMacro.stored(member) != nil else { return [] }
        let isObserved = isObserved(member)
        return Variable.bindings(of: member).filter { !($0.isLet && $0.initialValue != nil) }.map { variable in
            let name = variable.plainName
            return Key(key: isObserved ? "_\(name)" : variable.name, name: name, isObserved: isObserved)
        }
    }

    /// Returns a line for each member, with the directives around it.
    private func lines(_ line: (Declaration) -> String?) -> [String] {
        members.compactMap { $0.isDirective ? $0.text : line($0) }
    }
}

/// The members that `@ObservableState` adds to an enum.
struct EnumStateText {
    private let declaration: Declaration

    init(_ declaration: Declaration) {
        self.declaration = declaration
    }

    var text: String {
        let cases = EnumLine.lines(of: declaration)
        let identities = cases.map { line in
            line.text { number, found in
                switch found.values.count {
                case 0: "case .\(found.name): return ComposableMacros.ObservableStateID._$inert._$tag(\(number))"
                case 1: "case let .\(found.name)(value): return ComposableMacros._$id(of: value)._$tag(\(number))"
                default: "case .\(found.name): return ComposableMacros.ObservableStateID()._$tag(\(number))"
                }
            }
        }
        let preparations = cases.map { line in
            line.text { _, found in Self.preparation(of: found) }
        }
        let access = declaration.access
        return """
            \(access)var _$id: ComposableMacros.ObservableStateID {
                switch self {
            \(identities.joined(separator: "\n").indented)
                }
            }

            \(access)mutating func _$willModify() {
                switch self {
            \(preparations.joined(separator: "\n").indented)
                }
            }
            """
    }

    private static func preparation(of found: EnumCase) -> String {
        guard found.values.count == 1 else { return "case .\(found.name): break" }
        let label = found.values[0].label.map { "\($0): " } ?? ""
        return """
            case var .\(found.name)(value):
                ComposableMacros._$willModify(&value)
                self = .\(found.name)(\(label)value)
            """
    }
}

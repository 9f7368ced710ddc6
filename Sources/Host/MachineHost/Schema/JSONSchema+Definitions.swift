extension JSONSchema {
    /// The schema with all definitions in the outermost place, where references look for them.
    ///
    /// A schema that was composed of others, such as an array of a recursive type, has definitions inside. Definitions of
    /// different types with one name get different names.
    var withOutermostDefinitions: JSONSchema {
        var found = FoundDefinitions()
        let schema = found.take(self, renamed: [:])
        assert(
            Set(found.definitions.map(\.name)).count == found.definitions.count,
            "expected a name for each of \(found.definitions.count) definitions")
        return found.definitions.isEmpty ? schema : .definitions(schema, found.definitions)
    }
}

private struct FoundDefinitions {
    private(set) var definitions: [JSONSchema.Definition] = []
    /// The definitions as they were found, by their present names.
    private var originals: [String: JSONSchema] = [:]

    /// Returns a schema without its definitions, which are added to the others.
    ///
    /// - Parameter names: The present names of the definitions around the schema.
    mutating func take(_ schema: JSONSchema, renamed names: [String: String]) -> JSONSchema {
        switch schema {
        case .null, .any, .boolean, .integer, .number, .string, .strings, .integers: return schema
        case .array(let element): return .array(take(element, renamed: names))
        case .dictionary(let value): return .dictionary(take(value, renamed: names))
        case .optional(let schema): return .optional(take(schema, renamed: names))
        case .object(let members): return .object(members.map { take($0, renamed: names) })
        case .open(let members): return .open(members.map { take($0, renamed: names) })
        case .named(let name, let schema): return .named(name, take(schema, renamed: names))
        case .reference(let name): return .reference(names[name] ?? name)
        case .definitions(let schema, let inner): return take(schema, defining: inner, renamed: names)
        }
    }

    private mutating func take(_ member: JSONSchema.Member, renamed names: [String: String]) -> JSONSchema.Member {
        JSONSchema.Member(
            name: member.name, schema: take(member.schema, renamed: names), isRequired: member.isRequired)
    }

    private mutating func take(
        _ schema: JSONSchema, defining inner: [JSONSchema.Definition], renamed outer: [String: String]
    ) -> JSONSchema {
        var names = outer
        var new: [JSONSchema.Definition] = []
        // All names first: definitions refer to each other.
        for definition in inner {
            let name = name(for: definition)
            names[definition.name] = name
            guard originals[name] == nil else { continue }
            originals[name] = definition.schema
            new.append(JSONSchema.Definition(name: name, schema: definition.schema))
        }
        for definition in new {
            let schema = take(definition.schema, renamed: names)
            definitions.append(JSONSchema.Definition(name: definition.name, schema: schema))
        }
        return take(schema, renamed: names)
    }

    /// Returns a name that no other definition has: the same for the same definition.
    private func name(for definition: JSONSchema.Definition) -> String {
        var (name, count) = (definition.name, 1)
        while let other = originals[name], other != definition.schema {
            count += 1
            name = "\(definition.name)\(count)"
        }
        return name
    }
}

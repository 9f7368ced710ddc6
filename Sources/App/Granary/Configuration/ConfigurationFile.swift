import FoundationEssentials

/// A configuration file in JSON5, with one object per section.
struct ConfigurationFile {
    /// The path as specified by the operator, for messages.
    let path: String
    private let content: String

    /// A key of the file with its value and its place.
    struct Entry {
        var name: String
        var value: JSON5Value
        var place: String
    }

    init(path: String, content: String) {
        self.path = path
        self.content = content
    }

    init(readingFrom path: String) throws(ConfigurationError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ConfigurationError(place: path, message: "could not be read: \(FileErrorText.reason(of: error))")
        }
        guard let content = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError(place: path, message: "expected UTF-8 text")
        }
        self.init(path: path, content: content)
    }

    /// Returns the keys and their values in the order of the text.
    ///
    /// - Parameter sections: The names of the sections. An object under such a name groups keys and is not a value.
    /// - Throws: `ConfigurationError` for syntax errors and for keys that occur twice.
    func entries(sections: some Sequence<String>) throws(ConfigurationError) -> [Entry] {
        let located = try locate()
        let root = try decode()
        let sections = Set(sections)
        var problems: [ConfigurationProblem] = []
        var seen: [String: SourcePosition] = [:]
        var entries: [Entry] = []
        // The positions come from a separate pass, because the decoded values have none and lose the order of the keys.
        for item in located {
            let name = item.path.joined(separator: ".")
            let place = "\(path):\(item.position)"
            if let first = seen.updateValue(item.position, forKey: name) {
                problems.append(.init(place: place, message: "\(name): already set on line \(first.line)"))
            } else if let value = root.member(at: item.path), !value.isSection(at: item.path, among: sections) {
                entries.append(Entry(name: name, value: value, place: place))
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return entries
    }

    private func locate() throws(ConfigurationError) -> [JSON5Locator.Entry] {
        do {
            return try JSON5Locator.entries(in: content)
        } catch {
            throw ConfigurationError(place: "\(path):\(error.position)", message: error.message)
        }
    }

    private func decode() throws(ConfigurationError) -> JSON5Value {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let root: JSON5Value
        do {
            root = try decoder.decode(JSON5Value.self, from: Data(content.utf8))
        } catch {
            throw ConfigurationError(place: path, message: "expected JSON5, got an invalid value")
        }
        guard case .object = root else {
            throw ConfigurationError(place: "\(path):1:1", message: "expected an object, got \(root.kind)")
        }
        return root
    }
}

extension ConfigurationError {
    fileprivate init(place: String, message: String) {
        self.init(problems: [ConfigurationProblem(place: place, message: message)])
    }
}

extension JSON5Value {
    fileprivate func member(at path: [String]) -> JSON5Value? {
        path.reduce(Optional(self)) { value, key in
            guard case .object(let members) = value else { return nil }
            return members[key]
        }
    }

    /// Returns whether the value at a path only groups keys.
    fileprivate func isSection(at path: [String], among sections: Set<String>) -> Bool {
        guard case .object = self, path.count == 1, let name = path.first else { return false }
        return sections.contains(name)
    }
}

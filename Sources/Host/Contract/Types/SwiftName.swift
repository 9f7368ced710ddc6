/// Names in Swift for names of machines, inputs, outputs and members, which may be any text.
enum SwiftName {
    /// Returns a name for a property or a case: the text itself if it is an identifier.
    static func member(_ text: String) -> String {
        let words = words(text)
        var name = words.prefix(1).joined() + words.dropFirst().map(capitalized).joined()
        if isIdentifier(text) { name = text }
        if name.isEmpty { name = "value" }
        if name.first?.isNumber == true { name = "_" + name }
        // A member of every type, or of the protocols that the types conform to, or a type that the compiler looks up in them.
        let taken = [
            "self", "Self", "Type", "Protocol", "init", "_", "hash", "hashValue", "encode", "merge", "read",
            "inputMessage", "description", "RawValue", "CodingKeys",
        ]
        return taken.contains(name) ? name + "_" : name
    }

    static func type(_ texts: [String]) -> String {
        let name = texts.flatMap(words).map(capitalized).joined()
        if name.isEmpty { return "Value" }
        return name.first?.isNumber == true ? "_" + name : name
    }

    /// Returns a name as it is written in declarations and uses: in backticks if it is a keyword.
    static func written(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The names that generated types must not have, because the text uses others of these names.
    static let takenTypes = Set(
        """
        Any Array Bool Codable CodingKey CodingKeys Decodable Decoder Dictionary Double EmittedEvent Encodable Encoder Error \
        Events GranaryClient Hashable Indirect InputMessage Inputs Int JSON MachineEvents MachineInputs MachineOutputs \
        MachineSchema Never Optional OutputValues Outputs Parameters Protocol Result Self Sendable String Swift Type UInt64 \
        Void
        """.split(separator: " ").map(String.init))

    private static func words(_ text: String) -> [String] { text.split { !isPart($0) }.map(String.init) }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func isIdentifier(_ text: String) -> Bool {
        text.allSatisfy(isPart) && text.first.map { !$0.isNumber } == true && text != "_"
    }

    private static func isPart(_ character: Character) -> Bool {
        guard character.isASCII else { return character.isLetter && character.unicodeScalars.count == 1 }
        return character.isLetter || character.isNumber || character == "_"
    }

    private static let keywords = Set(
        """
        Any as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false \
        fileprivate for func guard if import in inout internal is let nil operator precedencegroup private protocol public \
        repeat rethrows return static struct subscript super switch throw throws true try typealias var where while
        """.split(separator: " ").map(String.init))
}

/// Names that differ from each other.
struct DistinctNames {
    private var names: Set<String>

    /// Creates the names that begin with some that are taken.
    init(taken: Set<String> = []) { names = taken }

    /// Returns a name that no other one has: the text itself, or with a number.
    mutating func reserve(_ text: String) -> String {
        var (name, count) = (text, 1)
        while !names.insert(name).inserted {
            count += 1
            name = "\(text)_\(count)"
        }
        return name
    }
}

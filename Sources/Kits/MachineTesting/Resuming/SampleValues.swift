import JSONText
import MachineHost
import StateCapture

/// Random values that a schema accepts, as JSON text.
struct SampleValues {
    private var random: SeededGenerator
    private var definitions: [String: JSONSchema] = [:]

    /// The depth below which recursive types have no further values.
    private static let deepest = 4

    init(_ random: SeededGenerator) {
        self.random = random
    }

    mutating func value(of schema: JSONSchema, depth: Int = 0) -> String {
        switch schema {
        case .null, .any: return "null"
        case .boolean: return Bool.random(using: &random) ? "true" : "false"
        case .integer(let minimum, let maximum):
            // Small ones, so that machines may calculate with them.
            let high = Int64(clamping: maximum ?? 9)
            let low = min(max(minimum ?? -9, -9), high)
            return "\(Int64.random(in: low...min(high, max(low, 9)), using: &random))"
        case .number: return "\(Int.random(in: -9...9, using: &random)).5"
        case .string(let format): return text(format)
        case .strings(let all): return quoted(all.randomElement(using: &random) ?? "")
        case .integers(let all): return "\(all.randomElement(using: &random) ?? 0)"
        case .array(let element):
            let count = depth < SampleValues.deepest ? Int.random(in: 0...3, using: &random) : 0
            return "[" + (0..<count).map { _ in value(of: element, depth: depth + 1) }.joined(separator: ",") + "]"
        case .dictionary(let element):
            let count = depth < SampleValues.deepest ? Int.random(in: 0...2, using: &random) : 0
            return "{" + (0..<count).map { "\"k\($0)\":" + value(of: element, depth: depth + 1) }.joined(separator: ",")
                + "}"
        case .object(let members), .open(let members): return object(members, depth)
        case .optional(let wrapped):
            return depth < SampleValues.deepest && Bool.random(using: &random)
                ? value(of: wrapped, depth: depth + 1) : "null"
        case .named(_, let schema): return value(of: schema, depth: depth)
        case .reference(let name): return definitions[name].map { value(of: $0, depth: depth + 1) } ?? "null"
        case .definitions(let root, let named):
            for definition in named { definitions[definition.name] = definition.schema }
            return value(of: root, depth: depth)
        }
    }

    private mutating func object(_ members: [JSONSchema.Member], _ depth: Int) -> String {
        var parts: [String] = []
        for member in members
        where member.isRequired || depth < SampleValues.deepest && Bool.random(using: &random) {
            parts.append(quoted(member.name) + ":" + value(of: member.schema, depth: depth + 1))
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private mutating func text(_ format: String?) -> String {
        switch format {
        case "date-time": "\"2026-01-0\(Int.random(in: 1...9, using: &random))T12:00:00Z\""
        case "uuid": "\"00000000-0000-4000-8000-00000000000\(Int.random(in: 0...9, using: &random))\""
        case "uri": "\"https://example.com/\(Int.random(in: 0...9, using: &random))\""
        default: quoted(["", "a", "b", "swift", "ü\"\\"].randomElement(using: &random) ?? "")
        }
    }

    private func quoted(_ text: String) -> String {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        return String(decoding: json, as: UTF8.self)
    }
}

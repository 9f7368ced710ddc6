import HTTPModel
import HTTPServer
import Log
import MachineHost
import StateCapture

// Operations on the server as a whole.
extension AdminCall {
    func manage() throws -> HTTPResponse {
        switch request.operation {
        case .listMachines: return machines()
        case .listLoops: return loops()
        case .readConfiguration:
            let values = interface.surroundings.configuration().map { value -> StateValue in
                ["name": .string(value.name), "value": .string(value.value), "isDefault": .boolean(value.isDefault)]
            }
            return json(["configuration": .array(values)])
        case .readLogLevels: return levels
        case .setLogLevels: return try setLevels()
        case .drain:
            guard let drain = interface.surroundings.drain else {
                throw ProblemDetails.operationRefused("The program that embeds this server decides when it ends.")
            }
            audit("drain")
            drain()
            return json(["draining": true])
        default: return content(AdminDocument.json)
        }
    }

    private func machines() -> HTTPResponse {
        let machines = operations.machines.map { definition, durability -> StateValue in
            var json: StateValue = [
                "name": .string(definition.name), "summary": .string(definition.summary),
                "durability": .string(durability.rawValue), "hibernates": .boolean(definition.hibernates),
            ]
            json["inputs"] = .array(
                definition.inputs.map {
                    ["name": .string($0.name), "schema": AdminCall.json(of: $0.schema, isInput: true)]
                })
            json["outputs"] = .array(
                definition.outputs.map {
                    [
                        "name": .string($0.name), "kind": .string($0.kind.rawValue),
                        "schema": AdminCall.json(of: $0.schema),
                    ]
                })
            json["concealed"] = .array(
                definition.secrets.union(definition.sensitive).sorted().map { .string($0) })
            json["obstacle"] = StateValue(durability == .memory ? definition.obstacleText : nil)
            return json
        }
        return json(["machines": .array(machines)])
    }

    private static func json(of schema: JSONSchema, isInput: Bool = false) -> StateValue {
        var json: [UInt8] = []
        schema.append(to: &json, isInput: isInput)
        return .read(json[...])
    }

    private func loops() -> HTTPResponse {
        let loops = operations.loops { ($0 as? any MeasuredEventLoop)?.measured }
        return json([
            "loops": .array(
                loops.map { index, found -> StateValue in
                    guard let found else { return ["index": StateValue(index), "isResponsive": false] }
                    var json: StateValue = [
                        "index": StateValue(index), "isResponsive": true, "sessions": StateValue(found.sessions),
                        "streams": StateValue(found.streams),
                    ]
                    if let activity = found.result {
                        json["rounds"] = StateValue(activity.rounds)
                        json["busyMilliseconds"] = StateValue(activity.busy / 1_000_000)
                    }
                    return json
                })
        ])
    }

    private var levels: HTTPResponse {
        let levels = interface.log.levels
        return json([
            "level": .string(levels.level.rawValue),
            "modules": .object(levels.levels.mapValues { .string($0.rawValue) }),
        ])
    }

    private func setLevels() throws -> HTTPResponse {
        let members = try request.members()
        let levels = interface.log.levels
        let all = try members["level"].map { try level($0, "level") }
        var modules: [String: LogLevel] = [:]
        switch members["modules"] {
        case .object(let named)?:
            for (name, value) in named {
                guard levels.levels[name] != nil else {
                    let known = levels.levels.keys.sorted().joined(separator: ", ")
                    throw ProblemDetails.unexpected("Expected modules among \(known), got \"\(name.prefix(80))\".")
                }
                modules[name] = try level(value, "modules.\(name)")
            }
        case nil: break
        default: throw ProblemDetails.unexpected("Expected an object with the levels of modules as \"modules\".")
        }
        guard all != nil || !modules.isEmpty else {
            throw ProblemDetails.unexpected("Expected a level, or the levels of modules, got neither.")
        }
        let changes =
            (all.map { [$0.rawValue] } ?? []) + modules.sorted { $0.key < $1.key }.map { "\($0)=\($1.rawValue)" }
        audit("log \(changes.joined(separator: " "))")
        if let all { levels.set(all) }
        for (name, level) in modules { _ = levels.set(level, of: name) }
        return self.levels
    }

    private func level(_ value: StateValue, _ name: String) throws -> LogLevel {
        guard let level = value.text.flatMap(LogLevel.init) else {
            let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemDetails.unexpected("Expected one of \(names) as \"\(name)\".")
        }
        return level
    }
}

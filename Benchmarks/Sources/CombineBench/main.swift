import Foundation

let rows = eventRows + propertyRows + combiningRows + lifetimeRows + threadRows
let arguments = Array(CommandLine.arguments.dropFirst())

func show(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// One line of JSON for each row or holding whose name contains `part`.
func chosen<Element>(_ all: [Element], _ name: KeyPath<Element, String>, part: String?) -> [Element] {
    all.filter { part.map($0[keyPath: name].contains) ?? true }
}

switch (arguments.first, arguments.count) {
case ("list", 1):
    for row in rows { try show(["name": row.name, "scale": String(row.scale)]) }
case ("run", 3):
    guard let row = rows.first(where: { $0.name == arguments[1] }), let rounds = Int(arguments[2]) else { fallthrough }
    keep(row.run(rounds))
case ("time", 1...2):
    for row in chosen(rows, \.name, part: arguments.dropFirst().first) { try show(row.time()) }
case ("allocations", 1...2):
    for row in chosen(rows, \.name, part: arguments.dropFirst().first) { try show(row.allocations()) }
case ("memory", 1...2):
    for holding in chosen(holdings, \.name, part: arguments.dropFirst().first) { try show(holding.weigh(100_000)) }
default:
    let usage = "combine-bench list | run ROW ROUNDS | time [PART] | allocations [PART] | memory [PART]\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}

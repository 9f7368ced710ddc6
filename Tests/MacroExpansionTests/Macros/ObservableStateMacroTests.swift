import Testing

@testable import MacroExpansion

struct ObservableStateMacroTests {
    private func members(_ declaration: String) throws -> String {
        try expansion("ObservableStateMacro", .member, attribute: "@ObservableState", of: declaration)
    }

    @Test func `a structure has a registrar and a number for each observed member`() throws {
        let text = try members(
            """
            public struct State: Equatable {
                let id: Int
                var count = 0
                @Presents var child: Child.State?
                @Shared var shared: Int
                @ObservationStateIgnored var cache = 0
                static var shape = 0
                var double: Int { count * 2 }
                var name = "" { didSet { count += 1 } }
            }
            """)
        #expect(text.contains("public var _$observationRegistrar = ComposableMacros.ObservationStateRegistrar()"))
        #expect(
            text.contains(
                """
                public enum _$Member: Swift.Int, Swift.CaseIterable {
                    case count
                    case child
                    case name
                }
                """), "\(text)")
        #expect(!text.contains("CodingKeys"))
        #expect(!text.contains("_$memberNames"))
    }

    @Test func `a structure that is encoded has the names of its members`() throws {
        let text = try members(
            "struct State: Codable { let id: Int; var count = 0; @ObservationStateIgnored var rest = 0 }")
        #expect(
            text.contains(
                """
                enum CodingKeys: Swift.String, Swift.CodingKey {
                    case id
                    case _count = "count"
                    case rest
                }
                """), "\(text)")
        #expect(text.contains("static var _$memberNames: [Swift.String]"))
        let own = try members("struct State: Encodable { var count = 0; func encode(to encoder: any Encoder) {} }")
        #expect(!own.contains("_$memberNames"))
        let keys = try members("struct State: Encodable { var count = 0; enum CodingKeys: CodingKey { case count } }")
        #expect(!keys.contains("case _count"))
        let empty = try members("struct State: Codable {}")
        #expect(empty.contains("enum CodingKeys: Swift.CodingKey {"))
        #expect(!empty.contains("_$Member"))
    }

    @Test func `all constants of a declaration are encoded, and observed variables do not share one`() throws {
        let text = try members(
            "struct State: Codable { let id: Int, shape: Int; let (a, b): (Int, Int); var count = 0 }")
        #expect(
            text.contains(
                """
                enum CodingKeys: Swift.String, Swift.CodingKey {
                    case id
                    case shape
                    case a
                    case b
                    case _count = "count"
                }
                """), "\(text)")
        let problem = "@ObservableState requires a declaration of its own for each variable, got one for: a, b"
        for shared in ["var a = 1, b = 2", "var (a, b) = (1, 2)"] {
            #expect(throws: ExpansionError(problem)) { try members("struct State { \(shared) }") }
            let attribute = try expansion(
                "ObservableStateMacro", .memberAttribute, attribute: "@ObservableState", of: shared,
                in: "struct State { \(shared) }")
            #expect(attribute == "")
        }
        #expect(try !members("struct State { @ObservationStateIgnored var a = 1, b = 2 }").contains("case"))
    }

    @Test func `members that are all conditional leave an enum with raw values a case`() throws {
        let text = try members("struct State {\n#if DEBUG\nvar count = 0\n#endif\n#warning(\"later\")\n}")
        #expect(
            text.contains(
                """
                enum _$Member: Swift.Int, Swift.CaseIterable {
                    #if DEBUG
                    case count
                    #endif
                    case _$none
                }
                """), "\(text)")
        #expect(!text.contains("#warning"))
    }

    @Test func `keys that are all conditional have no raw values`() throws {
        let text = try members(
            "struct State: Codable {\n#if DEBUG\nvar count = 0\n#else\nlet id: Int\n#endif\nlet shape = 1\n}")
        #expect(
            text.contains(
                """
                enum CodingKeys: Swift.CodingKey {
                    #if DEBUG
                    case _count
                    #else
                    case id
                    #endif
                    var stringValue: Swift.String {
                        switch self {
                        #if DEBUG
                        case ._count: return "count"
                        #else
                        case .id: return "id"
                        #endif
                        }
                    }
                    var intValue: Swift.Int? {
                        nil
                    }
                    init?(stringValue: Swift.String) {
                        switch stringValue {
                        #if DEBUG
                        case "count": self = ._count
                        #else
                        case "id": self = .id
                        #endif
                        default: return nil
                        }
                    }
                    init?(intValue: Swift.Int) {
                        return nil
                    }
                }
                """), "\(text)")
        let mixed = try members("struct State: Codable { let id: Int\n#if DEBUG\nvar count = 0\n#endif\n}")
        #expect(mixed.contains("enum CodingKeys: Swift.String, Swift.CodingKey {\n    case id\n"), "\(mixed)")
    }

    @Test func `an enum has the identities of its cases`() throws {
        let text = try members("enum State { case a(A.State), b(x: B.State), pair(Int, Int), none }")
        #expect(
            text.contains(
                """
                    switch self {
                    case let .a(value): return ComposableMacros._$id(of: value)._$tag(0)
                    case let .b(value): return ComposableMacros._$id(of: value)._$tag(1)
                    case .pair: return ComposableMacros.ObservableStateID()._$tag(2)
                    case .none: return ComposableMacros.ObservableStateID._$inert._$tag(3)
                    }
                """), "\(text)")
        #expect(text.contains("self = .b(x: value)"), "\(text)")
    }

    @Test func `only stored variables without other attributes are tracked`() throws {
        func attributes(_ member: String) throws -> String {
            try expansion(
                "ObservableStateMacro", .memberAttribute, attribute: "@ObservableState", of: member,
                in: "struct State { \(member) }")
        }
        #expect(try attributes("var count = 0") == "@ObservationStateTracked")
        #expect(try attributes("private(set) var count: Int") == "@ObservationStateTracked")
        for member in [
            "let count = 0", "static var count = 0", "var count: Int { 0 }", "lazy var count = 0",
            "@Presents var a: A?", "@Shared var a: A", "@ObservationStateIgnored var a = 0", "func a() {}",
        ] {
            #expect(try attributes(member) == "", "\(member)")
        }
    }

    @Test func `a tracked member is stored with its type, value and observers`() throws {
        func storage(_ declaration: String) throws -> String {
            try expansion("ObservationStateTrackedMacro", .peer, attribute: "@ObservationStateTracked", of: declaration)
        }
        #expect(try storage("var count = 0") == "@ObservationStateIgnored private var _count = 0")
        #expect(try storage("public var a: [Int]") == "@ObservationStateIgnored private var _a: [Int]")
        #expect(
            try storage("var a: Int = 1 { didSet { b() } }")
                == "@ObservationStateIgnored private var _a: Int = 1 { didSet { b() } }")
        #expect(
            try storage("public private(set) weak var a: A?") == "@ObservationStateIgnored private weak var _a: A?")
        #expect(
            try storage("internal unowned(unsafe) var a: A")
                == "@ObservationStateIgnored private unowned(unsafe) var _a: A")
        #expect(
            try storage("var a = { #error(\"b\")\n1 }()") == "@ObservationStateIgnored private var _a = { \n1 }()")
        let accessors = try expansion(
            "ObservationStateTrackedMacro", .accessor, attribute: "@ObservationStateTracked", of: "var count = 0")
        #expect(
            accessors.contains(
                """
                    set {
                        _$observationRegistrar._$noteChange(of: _$Member.count.rawValue)
                        _$observationRegistrar.mutate(self, keyPath: \\.count, &_count, newValue, \
                ComposableMacros._$isIdentityEqual)
                    }
                """), "\(accessors)")
    }

    @Test func `presented state is observed in observable state`() throws {
        func accessors(inside surrounding: String?) throws -> String {
            try expansion(
                "PresentsMacro", .accessor, attribute: "@Presents", of: "var child: Child.State?", inside: surrounding)
        }
        let observed = try accessors(inside: "@ObservableState struct State {}")
        #expect(observed.contains("_$noteChange(of: _$Member.child.rawValue)"))
        #expect(try !accessors(inside: "struct State {}").contains("_$"))
        #expect(try !accessors(inside: nil).contains("_$"))
    }

    @Test func `a class is not observable state`() {
        #expect(throws: ExpansionError("@ObservableState requires a struct or an enum, got: class")) {
            try members("class State {}")
        }
    }
}

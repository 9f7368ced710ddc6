import Testing

@testable import MacroExpansion

struct CasePathableMacroTests {
    @Test func `a case path embeds and extracts all associated values`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: "@CasePathable public enum Action { case a, b(id: Int, String) }")
        #expect(
            text.contains(
                """
                    public var b: CasePathMacros.AnyCasePath<Action, (id: Int, String)> {
                        CasePathMacros.AnyCasePath<Action, (id: Int, String)>(
                            embed: { (value: (id: Int, String)) in Action.b(id: value.0, value.1) },
                            extract: {
                                guard case .b(let v0, let v1) = $0 else { return nil }
                                return (v0, v1)
                            }
                        )
                    }
                """), "\(text)")
        #expect(text.contains("public static var allCasePaths: AllCasePaths { AllCasePaths() }"))
        #expect(
            text.contains(
                """
                public static var _$cases: [CasePathMacros.CaseDescription] {
                    var cases: [CasePathMacros.CaseDescription] = []
                    cases.append(CasePathMacros.CaseDescription("a") { _ in Action.a })
                    cases.append(
                        CasePathMacros.CaseDescription("b", [("id", (Int).self), (nil, (String).self)]) { values in
                """), "\(text)")
    }

    @Test func `a type named like one of a sequence has another name in the collection of case paths`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: """
                public enum List<Element> {
                    case one(Element), all([Element.ID: My.Element], next: List<Element>.Iterator)
                }
                """)
        #expect(text.contains("public typealias _$Element = Element\n"), "\(text)")
        #expect(text.contains("public var one: CasePathMacros.AnyCasePath<List, _$Element> {"), "\(text)")
        #expect(text.contains("embed: { List.one($0) }"), "\(text)")
        let all = "([_$Element.ID: My.Element], next: List<_$Element>.Iterator)"
        #expect(text.contains("public var all: CasePathMacros.AnyCasePath<List, \(all)> {"), "\(text)")
        #expect(text.contains("CasePathMacros._$value(values, 0, as: (Element).self)"), "\(text)")
        #expect(!text.contains("_$Iterator"))
        #expect(
            try expansion(
                "CasePathableMacro", .member, attribute: "@CasePathable", of: "enum A { case a(Iterator?) }"
            ).contains("typealias _$Iterator = Iterator\n"))
    }

    @Test func `an associated value may be a function, or of a type named Root`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: "enum A { case go(then: @MainActor () -> Void), root(Root) }")
        #expect(text.contains("var go: CasePathMacros.AnyCasePath<A, @MainActor () -> Void> {"), "\(text)")
        #expect(text.contains("embed: { A.go(then: $0) }"), "\(text)")
        #expect(text.contains("typealias _$Root = Root\n"), "\(text)")
        #expect(text.contains("var root: CasePathMacros.AnyCasePath<A, _$Root> {"), "\(text)")
    }

    @Test func `nothing follows the switch over conditional cases, and diagnostics are not repeated`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: """
                enum A {
                    #if DEBUG
                    case a
                    #endif
                    #warning("b")
                }
                """)
        #expect(
            text.contains(
                """
                        switch root {
                        #if DEBUG
                        case .a: return \\.a
                        #endif
                        }
                    }
                """), "\(text)")
        #expect(!text.contains("#warning"), "\(text)")
    }

    @Test func `Self is the enum`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: "indirect enum Tree { case leaf, node(left: Self, right: Box<Self>) }")
        #expect(
            text.contains("var node: CasePathMacros.AnyCasePath<Tree, (left: Tree, right: Box<Tree>)> {"), "\(text)")
        #expect(!text.contains("typealias"))
    }

    @Test func `a struct has no case paths`() {
        #expect(throws: ExpansionError("@CasePathable requires an enum, got: struct")) {
            try expansion("CasePathableMacro", .member, attribute: "@CasePathable", of: "struct A {}")
        }
    }

    @Test func `a case may have another type in another branch`() throws {
        let text = try expansion(
            "CasePathableMacro", .member, attribute: "@CasePathable",
            of: "enum A {\n#if DEBUG\ncase a(Int)\n#else\ncase a(String)\n#endif\n}")
        #expect(text.contains("AnyCasePath<A, Int>") && text.contains("AnyCasePath<A, String>"), "\(text)")
        #expect(text.contains("#else"))
    }

    @Test func `overloaded cases have no case paths`() {
        #expect(throws: ExpansionError("@CasePathable cannot tell the cases named \"a\" apart")) {
            try expansion(
                "CasePathableMacro", .member, attribute: "@CasePathable", of: "enum A { case a(Int), a(x: Int) }")
        }
    }
}

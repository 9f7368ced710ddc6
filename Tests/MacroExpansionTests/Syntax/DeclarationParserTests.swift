import Testing

@testable import MacroExpansion

struct DeclarationParserTests {
    private func members(_ text: String) -> [Declaration] {
        DeclarationParser.declaration(in: text)?.members ?? []
    }

    @Test func `members end where the next one begins`() {
        let found = members(
            """
            struct A {
                var a = 1; let b: [String: Int] = [:]
                @Wrapped(x: 1)
                private(set) var c: (Int) -> Void = { print($0) } // var no = 1
                var d =
                    1
                    + 2
                func f() -> some P { if true { var inner = 1 } }
            }
            """)
        #expect(found.map(\.name) == ["a", "b", "c", "d", "f"])
        #expect(found[2].attributes.map(\.text) == ["@Wrapped(x: 1)"])
        #expect(found[2].modifiers == ["private(set)"])
    }

    @Test func `text in strings and comments is not parsed`() {
        let found = members(
            #"""
            enum A {
                /* case no { /* nested */ */
                static let text = """
                    case no(}
                    """
                static let other = #"case \#("}") ""#
                case yes(String = "\(f("}"))")
            }
            """#)
        #expect(found.map(\.keyword) == ["let", "let", "case"])
        #expect(EnumCase.cases(of: found[2]).map(\.name) == ["yes"])
    }

    @Test func `cases have labels, types and backticks`() {
        let found = members("enum A { case `default`, row(id: Int, action: B<C, D>), f((Int) -> Void) }")
            .flatMap(EnumCase.cases(of:))
        #expect(found.map(\.name) == ["`default`", "row", "f"])
        #expect(found.map(\.plainName) == ["default", "row", "f"])
        #expect(found[1].values.map(\.label) == ["id", "action"])
        #expect(found[1].payloadType(renaming: [:]) == "(id: Int, action: B<C, D>)")
        #expect(found[2].payloadType(renaming: [:]) == "(Int) -> Void")
    }

    @Test func `variables have types, values and observers`() {
        let found = members(
            """
            struct A {
                var a: Int?
                var b: [Int] = [] { didSet { print(b) } }
                var c: Int { 1 }
                var d = f { $0 }
                var e: @Sendable (_ id: Int, String) async throws -> [String: Int] = { _, _ in [:] }
            }
            """
        ).compactMap(Variable.init)
        #expect(
            found.map(\.type) == [
                "Int?", "[Int]", "Int", nil, "@Sendable (_ id: Int, String) async throws -> [String: Int]",
            ])
        #expect(found.map(\.initialValue) == [nil, "[]", nil, "f { $0 }", "{ _, _ in [:] }"])
        #expect(found.map(\.isStored) == [true, true, false, true, true])
        let closure = ClosureType(found[4].typeTokens, in: found[4].declaration.source)
        #expect(closure?.parameters.map(\.label) == ["id", nil])
        #expect(closure?.isAsync == true && closure?.isThrowing == true)
        #expect(closure?.result == "[String: Int]")
    }

    @Test func `the effects and attributes of a type may have lines of their own`() throws {
        let found = members(
            """
            struct A {
                var a: @Sendable
                    @MainActor (Int)
                    async throws
                    -> String
                var c = 2
            }
            """)
        #expect(found.map(\.name) == ["a", "c"])
        let variable = try #require(found.first.flatMap(Variable.init))
        let closure = ClosureType(variable.typeTokens, in: variable.declaration.source)
        #expect(closure?.isAsync == true && closure?.isThrowing == true)
        #expect(closure?.result == "String")
    }

    @Test func `text in regular expressions is not parsed`() {
        let found = members(
            #"""
            struct A {
                let quote = /a"b/
                let brace = [/\/{/, #/ " } /#]
                let lines = #/
                    ( " { # two
                    /#
                let text = "\(f(/"/, #/)"/#))"
                let closing = f(/[)"]/, "}")
                let half = (a + b) / 2 // "
                let sum = values.reduce(1, /), quotient = a/b/c
                let last = 1
            }
            """#)
        #expect(found.map(\.name) == ["quote", "brace", "lines", "text", "closing", "half", "sum", "last"])
        #expect(found.compactMap(Variable.init).map(\.initialValue).first == #"/a"b/"#)
    }

    @Test func `a declaration may have several variables`() {
        func variables(_ text: String) -> [Variable] {
            DeclarationParser.declaration(in: text).map(Variable.bindings) ?? []
        }
        let found = variables("var a = 1, b: Box<Int, Text> = f(1, 2), c, d: [Int]")
        #expect(found.map(\.name) == ["a", "b", "c", "d"])
        #expect(found.map(\.type) == [nil, "Box<Int, Text>", "[Int]", "[Int]"])
        #expect(found.map(\.initialValue) == ["1", "f(1, 2)", nil, nil])
        #expect(variables("var a = Box<A, B, C>()").map(\.initialValue) == ["Box<A, B, C>()"])
        #expect(variables("let (a, (_, b)): (A, (B, C)) = c").map(\.name) == ["a", "b"])
        #expect(variables("func a() {}").isEmpty)
    }

    @Test func `the initial value of a variable is copied without the diagnostics in it`() {
        let text = "var a = { #warning(\"(later)\"); return #line }()"
        let variable = DeclarationParser.declaration(in: text).flatMap(Variable.init)
        #expect(variable?.initialValue == "{ ; return #line }()")
    }

    @Test func `inherited types end at the body or at a where clause`() {
        #expect(DeclarationParser.declaration(in: "struct A<B: C>: D, E<F> where B: G {}")?.inherited == ["D", "E<F>"])
        #expect(DeclarationParser.declaration(in: "struct A {}")?.inherited == [])
    }

    @Test func `directives stand between the members`() {
        let found = members(
            """
            enum A {
                case a
            #if DEBUG
                case b
            #endif
            }
            """)
        #expect(found.map(\.keyword) == ["case", "#if", "case", "#endif"])
        #expect(found.map(\.text) == ["case a", "#if DEBUG", "case b", "#endif"])
        #expect(found.map(\.isDirective) == [false, true, false, true])
        let others = members("enum A {\n#warning(\"a\")\n#Preview { }\ncase a\n}")
        #expect(others.map(\.isDirective) == [false, false, false])
    }
}

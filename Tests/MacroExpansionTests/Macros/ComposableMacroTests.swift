import Testing

@testable import MacroExpansion

struct ComposableMacroTests {
    @Test func `a reducer without state, action and body gets empty ones`() throws {
        let text = try expansion("ReducerMacro", .member, attribute: "@Reducer", of: "@Reducer struct F {}")
        #expect(text.contains("struct State: Codable, Equatable, Hashable, Sendable"))
        #expect(text.contains("enum Action: Equatable, Hashable, Sendable"))
        #expect(text.contains("let body = ComposableMacros.EmptyReducer<Self.State, Self.Action>()"))
        let complete = "@Reducer struct F { struct State {}; enum Action {}; var body: some ReducerOf<Self> { A() } }"
        #expect(try expansion("ReducerMacro", .member, attribute: "@Reducer", of: complete) == "")
    }

    @Test func `the enums of a reducer get case paths and its body a builder`() throws {
        func attributes(_ member: String) throws -> String {
            try expansion(
                "ReducerMacro", .memberAttribute, attribute: "@Reducer", of: member, in: "struct F { \(member) }")
        }
        #expect(try attributes("enum Action {}") == "@CasePathable")
        #expect(try attributes("@CasePathable enum Action {}") == "")
        #expect(try attributes("enum State {}") == "@CasePathable @dynamicMemberLookup")
        #expect(try attributes("struct State {}") == "")
        #expect(
            try attributes("var body: some ReducerOf<Self> { A() }")
                == "@ComposableMacros.ReducerBuilder<Self.State, Self.Action>")
    }

    @Test func `an actor is not a reducer`() {
        #expect(throws: ExpansionError("@Reducer requires a struct or an enum, got: actor")) {
            try expansion("ReducerMacro", .member, attribute: "@Reducer", of: "actor F {}")
        }
    }

    @Test func `an enum reducer has a state and an action for each feature, and keeps its data`() throws {
        let text = try expansion(
            "ReducerMacro", .member, attribute: "@Reducer(state: .equatable, .sendable, action: .equatable)",
            of: """
                public enum Destination {
                    case detail(Detail)
                    case alert(AlertState<Alert>)
                    @ReducerCaseIgnored case url(URL)
                    case none
                }
                """)
        let pathable = "CasePathMacros.CasePathable, CasePathMacros.CasePathIterable"
        let state = "ComposableMacros.CaseReducerState, ComposableMacros.ObservableState"
        #expect(
            text.hasPrefix(
                """
                @dynamicMemberLookup public enum State: \(pathable), \(state), Swift.Equatable, Swift.Sendable {
                    case detail(Detail.State)
                    case alert(AlertState<Alert>)
                    case url(URL)
                    case none

                """), "\(text)")
        #expect(
            text.contains(
                """

                    public typealias StateReducer = Destination

                    public var _$case: (number: Swift.Int, value: Any) {
                        switch self {
                        case let .detail(value): (0, value)
                        case let .alert(value): (1, value)
                        case let .url(value): (2, value)
                        case .none: (3, ())
                        }
                    }

                """), "\(text)")
        #expect(
            text.contains(
                """
                public enum Action: \(pathable), Swift.Equatable {
                    case detail(Detail.Action)
                    case alert(AlertState<Alert>.Action)

                    public struct AllCasePaths:
                """), "\(text)")
        #expect(
            text.contains(
                """
                ComposableMacros.Scope(state: \\Self.State.Cases.detail, action: \\Self.Action.Cases.detail) {
                                Detail()
                            }
                """), "\(text)")
    }

    @Test func `an enum reducer has the stores of its cases`() throws {
        let text = try expansion(
            "ReducerMacro", .member, attribute: "@Reducer",
            of: """
                public enum Destination {
                    case detail(Detail)
                    @ReducerCaseEphemeral case question(Question)
                    @ReducerCaseIgnored case place(page: Int, Int)
                    case none
                }
                """)
        #expect(text.contains("case question(Question.Action)"), "\(text)")
        #expect(
            text.contains(
                """
                @dynamicMemberLookup public enum CaseScope: CasePathMacros.CasePathable, CasePathMacros.CasePathIterable {
                    case detail(ComposableMacros.StoreOf<Detail>)
                    case question(Question)
                    case place(page: Int, Int)
                    case none

                    public struct AllCasePaths:
                """), "\(text)")
        #expect(
            text.hasSuffix(
                """
                public static func scope(_ store: ComposableMacros.Store<Self.State, Self.Action>) -> CaseScope {
                    switch store.withState({ $0 }) {
                    case let .detail(v0): return .detail(store._$scope(v0, state: \\.detail, action: \\.detail))
                    case let .question(v0): return .question(v0)
                    case let .place(v0, v1): return .place(page: v0, v1)
                    case .none: return .none
                    }
                }
                """), "\(text)")
    }

    @Test func `conditional cases of an enum reducer stay conditional`() throws {
        let text = try expansion(
            "ReducerMacro", .member, attribute: "@Reducer",
            of: """
                enum Destination {
                    case one(One)
                    #if DEBUG
                    case two(Two)
                    #endif
                }
                """)
        #expect(
            text.contains("    case one(One.State)\n    #if DEBUG\n    case two(Two.State)\n    #endif\n"), "\(text)")
        #expect(
            text.contains(
                """
                    #if DEBUG
                    case let .two(v0): return .two(store._$scope(v0, state: \\.two, action: \\.two))
                    #endif
                """), "\(text)")
    }

    @Test func `the types that a body names are those of the feature`() throws {
        func parts(_ body: String) throws -> String {
            try expansion("ReducerMacro", .member, attribute: "@Reducer", of: "struct F { \(body) }")
        }
        #expect(
            try parts("let body = EmptyReducer<Int, [Int]>()") == "typealias State = Int\n\ntypealias Action = [Int]")
        #expect(try parts("var body: some Reducer<State, Action> { A() }").contains("struct State: Codable"))
    }

    @Test func `a feature with a default value runs that reducer`() throws {
        let text = try expansion(
            "ReducerMacro", .member, attribute: "@Reducer", of: "enum D { case edit(Edit = Edit(isNew: true)) }")
        #expect(text.contains("case edit(Edit.State)"), "\(text)")
        #expect(text.contains("action: \\Self.Action.Cases.edit) {\n                Edit(isNew: true)\n"), "\(text)")
    }

    @Test func `a view that sends actions gets the conformance`() throws {
        let text = try expansion(
            "ViewActionMacro", .extension, attribute: "@ViewAction(for: Editor.self)",
            of: "struct Page { let store: StoreOf<Editor> }", extending: "Page")
        #expect(text == "extension Page: ComposableMacros.ViewActionSending {\n}")
    }

    @Test func `an enum reducer without features has an empty body`() throws {
        let text = try expansion(
            "ReducerMacro", .member, attribute: "@Reducer",
            of: "enum D { case alert(ComposableMacros.AlertState<A>) }")
        #expect(text.contains("EmptyReducer<Self.State, Self.Action>()"))
        #expect(
            try expansion("ReducerMacro", .extension, attribute: "@Reducer", of: "enum D {}", extending: "D")
                == "extension D: ComposableMacros.CaseReducer, ComposableMacros.ReducerProtocol {\n}")
    }

    @Test func `presented state is stored in the type of the property wrapper`() throws {
        for type in ["Child.State?", "Optional<Child.State>"] {
            let declaration = "public var child: \(type)"
            let storage = try expansion("PresentsMacro", .peer, attribute: "@Presents", of: declaration)
            let wrapper = "ComposableMacros.PresentationState<Child.State>"
            #expect(storage.hasPrefix("private var _child = \(wrapper)(wrappedValue: nil)"), "\(storage)")
            #expect(storage.contains("public var $child: \(wrapper) {"), "\(storage)")
            let accessors = try expansion("PresentsMacro", .accessor, attribute: "@Presents", of: declaration)
            #expect(accessors.contains("_child = \(wrapper)(wrappedValue: initialValue)"), "\(accessors)")
        }
    }

    @Test func `only optional variables are presented`() {
        for declaration in ["var child: Child.State", "let child: Child.State?", "var child: Child.State? { nil }"] {
            #expect(throws: ExpansionError.self, "\(declaration)") {
                try expansion("PresentsMacro", .peer, attribute: "@Presents", of: declaration)
            }
        }
    }

    @Test func `a client has initializers with and without its functions`() throws {
        let text = try expansion(
            "DependencyClientMacro", .member, attribute: "@DependencyClient",
            of: """
                struct Client {
                    let id: Int, name: String?
                    var fetch: @Sendable (Int)
                        async throws -> String
                    @DependencyEndpointIgnored var log: () -> Void = {}
                    #if DEBUG
                    var debug: () -> Void
                    #else
                    var isQuiet = true
                    #endif
                    var retries = 1, delay: Int = 2
                    static let shared = Client()
                }
                """)
        #expect(
            text == """
                init(
                    id: Int,
                    name: String? = nil,
                    fetch: @escaping @Sendable (Int)
                            async throws -> String,
                    log: @escaping () -> Void = {},
                    delay: Int = 2
                ) {
                    self.id = id
                    self.name = name
                    self.fetch = fetch
                    self.log = log
                    self.delay = delay
                }

                init(
                    id: Int,
                    name: String? = nil,
                    log: @escaping () -> Void = {},
                    delay: Int = 2
                ) {
                    self.id = id
                    self.name = name
                    self.log = log
                    self.delay = delay
                }
                """, "\(text)")
        let functions = "struct Client { var a: () -> Void, b: () -> Void }"
        #expect(
            throws: ExpansionError(
                "@DependencyClient requires a declaration of its own for each function, got one for: a, b")
        ) {
            try expansion("DependencyClientMacro", .member, attribute: "@DependencyClient", of: functions)
        }
        let constants = "struct Client { let a: () -> Void }"
        #expect(
            try expansion("DependencyClientMacro", .member, attribute: "@DependencyClient", of: constants)
                == "init(\n    a: @escaping () -> Void\n) {\n    self.a = a\n}")
    }

    @Test func `an endpoint that returns a value without throwing needs a default`() {
        #expect(throws: ExpansionError.self) {
            try expansion(
                "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint", of: "var count: () -> Int",
                in: "struct Client {}")
        }
    }

    @Test func `an endpoint with labels has a method`() throws {
        let text = try expansion(
            "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint",
            of: "public var fetch: @Sendable (_ id: Int, Bool) async throws -> String")
        #expect(
            text.hasPrefix(
                """
                public func fetch(id p0: Int, _ p1: Bool) async throws -> String {
                    try await self.fetch(p0, p1)
                }
                """), "\(text)")
        #expect(text.contains("throw ComposableMacros.Unimplemented(\"fetch\")"))
    }

    @Test(arguments: [
        ("@isolated(any) (_ id: Int) -> Void", "func fetch(id p0: Int) async -> Void", "await self.fetch(p0)"),
        (
            "@isolated(any) @Sendable (_ id: Int) async throws -> Void",
            "func fetch(id p0: Int) async throws -> Void", "try await self.fetch(p0)"
        ),
        (
            "nonisolated(nonsending) @Sendable (_ id: Int) async -> Void",
            "nonisolated(nonsending) func fetch(id p0: Int) async -> Void", "await self.fetch(p0)"
        ),
        ("@Work.Actor (_ id: Int) -> Void", "@Work.Actor func fetch(id p0: Int) -> Void", "self.fetch(p0)"),
        ("@convention(c) (_ id: Int) -> Void", "func fetch(id p0: Int) -> Void", "self.fetch(p0)"),
        ("@Sendable(_ id: Int) throws(E) -> Void", "func fetch(id p0: Int) throws(E) -> Void", "try self.fetch(p0)"),
        (
            "(_ a: borrowing A, _ b: consuming B, _ c: inout sending C) throws(any Error) -> sending D",
            "func fetch(a p0: borrowing A, b p1: consuming B, c p2: inout sending C) throws(any Error) -> sending D",
            "try self.fetch(p0, p1, &p2)"
        ),
        (
            "(_ a: @autoclosure () -> Int, _ b: (@autoclosure () -> Int) -> Void) -> Void",
            "func fetch(a p0: @autoclosure () -> Int, b p1: (@autoclosure () -> Int) -> Void) -> Void",
            "self.fetch(p0(), p1)"
        ),
    ])
    func `an endpoint may have any type of a function`(type: String, head: String, call: String) throws {
        let text = try expansion(
            "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint", of: "var fetch: \(type)")
        #expect(text.hasPrefix("\(head) {\n    \(call)\n}"), "\(text)")
        #expect(text.contains("private var _fetch: \(type) = {"), "\(text)")
    }

    @Test(arguments: [
        ("(_ values: Int...) throws -> Int", "Int...", "an array"),
        ("(Int, Int...) -> Int = { $0 }", "Int...", "an array"),
        ("(repeat each Value) -> Void", "repeat each Value", "a tuple"),
        ("(_ id: Int, _ values: repeat (each Value)?) throws -> Int", "repeat (each Value)?", "a tuple"),
    ])
    func `an endpoint cannot pass on what stands for a number of values`(
        type: String, parameter: String, instead: String
    ) {
        let problem =
            "\"sum\" cannot pass on its parameter \"\(parameter)\". Declare \(instead), or exclude \"sum\" with "
            + "@DependencyEndpointIgnored"
        #expect(throws: ExpansionError(problem, isAboutDeclaration: true)) {
            try expansion(
                "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint", of: "var sum: \(type)",
                in: "struct Client<each Value> {}")
        }
    }

    @Test func `an endpoint may have a variadic parameter that nothing passes on`() throws {
        let text = try expansion(
            "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint", of: "var sum: (Int...) throws -> Int")
        #expect(text.hasPrefix("private var _sum: (Int...) throws -> Int = { _ in\n"), "\(text)")
    }

    @Test func `an endpoint with errors of one type cannot report itself by an error`() throws {
        func endpoint(_ declaration: String) throws(ExpansionError) -> String {
            try expansion("DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint", of: declaration)
        }
        let problem =
            "\"count\" needs a default value, because it returns a value and throws only E: "
            + "var count: () throws(E) -> Int = { … }"
        #expect(throws: ExpansionError(problem, isAboutDeclaration: true)) {
            try endpoint("var count: () throws(E) -> Int")
        }
        #expect(try endpoint("var count: () throws(E) -> Int = { 1 }").contains("return try fallback()"))
        #expect(try endpoint("var count: () throws(any Error) -> Int").contains("Unimplemented(\"count\")"))
    }

    @Test func `the default of an endpoint is called as if it had no isolation of its own`() throws {
        let text = try expansion(
            "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint",
            of: "var count: @isolated(any) @Sendable (Int) -> Int = { $0 }")
        #expect(text.contains("let fallback: @Sendable (Int) -> Int = { $0 }\n    return fallback(p0)"), "\(text)")
        #expect(text.hasPrefix("private var _count: @isolated(any) @Sendable (Int) -> Int = { p0 in"), "\(text)")
    }

    @Test func `parameters for functions escape after their specifier`() throws {
        let text = try expansion(
            "DependencyClientMacro", .member, attribute: "@DependencyClient",
            of: """
                struct Client {
                    var a: nonisolated(nonsending) @Sendable () async -> Void
                    var b: @isolated(any) () -> Void
                }
                """)
        #expect(text.contains("    a: nonisolated(nonsending) @escaping @Sendable () async -> Void,\n"), "\(text)")
        #expect(text.contains("    b: @escaping @isolated(any) () -> Void\n"), "\(text)")
    }

    @Test func `an endpoint has a method of a given name`() throws {
        let text = try expansion(
            "DependencyEndpointMacro", .peer, attribute: "@DependencyEndpoint(method: \"next\")",
            of: "var generate: () throws -> Int")
        #expect(
            text.hasPrefix(
                """
                func next() throws -> Int {
                    try self.generate()
                }
                """), "\(text)")
    }
}

extension PackageTemplate {
    var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name.text)",
            products: [.executable(name: "\(name.text)", targets: ["\(name.server)"])],
            dependencies: [\(granary.dependency)],
            targets: [
                \(modelTarget.indented(by: 8)),
                .executableTarget(
                    name: "\(name.server)",
                    dependencies: [
                        \((["\"\(name.model)\""] + products(serverProducts)).joined(separator: ",\n").indented(by: 16)),
                    ]),
                .testTarget(
                    name: "\(name.tests)",
                    dependencies: [
                        "\(name.server)",
                        \(products(["MachineTesting"]).joined()),
                    ]),
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    private var modelTarget: String {
        guard !style.products.isEmpty else { return #".target(name: "\#(name.model)")"# }
        return """
            .target(
                name: "\(name.model)",
                dependencies: [
                    \(products(style.products).joined(separator: ",\n").indented(by: 8)),
                ])
            """
    }

    /// The products that the program needs: those of the view model, and those that host it.
    private var serverProducts: [String] {
        Set(style.products + style.registration.imports + ["Granary"]).sorted()
    }

    private func products(_ names: [String]) -> [String] {
        names.map { #".product(name: "\#($0)", package: "\#(granary.package)")"# }
    }

    /// The machines of the program, which the test hosts too.
    var machines: String {
        let (imports, expression) = style.registration
        return """
            \((imports + ["Granary", name.model]).sorted().map { "import \($0)" }.joined(separator: "\n"))

            /// The machines that the program hosts. Each client has its own.
            func machines() throws -> [MachineDefinition] {
                [
                    \(expression.indented(by: 8))
                ]
            }

            """
    }

    var program: String {
        """
        import Granary

        await serve(name: "\(name.text)", version: "0.1.0") { _ in try machines() }

        """
    }

    var test: String {
        ##"""
        import MachineTesting
        import Testing

        @testable import \##(name.server)

        /// The tests send requests as clients do, without a socket.
        @Suite struct CounterTests {
            private let harness: HostHarness
            private let session: String

            init() throws {
                harness = try HostHarness(machines())
                session = harness.makeSession(of: "counter")
            }

            private func send(_ input: String) {
                _ = harness.send(.post, "\(session)/inputs/\(input)")
            }

            @Test func `the count changes, but not below zero`() {
                for input in ["decrement", "increment", "increment", "decrement", "increment"] { send(input) }
                #expect(harness.send(.get, "\(session)/outputs").text == #"{"count":2}"#)
            }

            @Test func `a stream has each change`() {
                let stream = harness.follow(session)
                stream.read()
                send("increment")
                stream.read()
                #expect(stream.events.map(\.data) == [#"{"count":0}"#, #"{"count":1}"#])
            }
        }

        """##
    }
}

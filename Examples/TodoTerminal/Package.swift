// swift-tools-version: 6.2
import PackageDescription

// A separate package that uses the client as a user would.
let package = Package(
    name: "todo-terminal",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "todo", targets: ["TodoTerminal"])],
    dependencies: [.package(name: "granary", path: "../..")],
    targets: [
        .executableTarget(
            name: "TodoTerminal",
            dependencies: [
                .product(name: "Combine", package: "granary"), .product(name: "GranaryClient", package: "granary"),
            ]),
        .testTarget(name: "TodoTerminalTests", dependencies: ["TodoTerminal"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// A separate package that uses the modules of the server as a user would.
let package = Package(
    name: "counter-label",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.executable(name: "counter-label", targets: ["CounterLabel"])],
    dependencies: [.package(name: "granary", path: "../..")],
    targets: [
        .executableTarget(
            name: "CounterLabel",
            dependencies: [
                .product(name: "AsyncBinding", package: "granary"), .product(name: "GranaryClient", package: "granary"),
            ]),
        .testTarget(
            name: "CounterLabelTests",
            dependencies: [
                "CounterLabel",
                .product(name: "Combine", package: "granary"),
                .product(name: "GranaryClient", package: "granary"),
                .product(name: "HTTPModel", package: "granary"),
                .product(name: "HTTPServer", package: "granary"),
                .product(name: "Log", package: "granary"),
                .product(name: "MachineHost", package: "granary"),
                .product(name: "Ricemill", package: "granary"),
                .product(name: "RicemillAdapter", package: "granary"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "glossary",
    products: [.executable(name: "glossary-server", targets: ["GlossaryServer"])],
    dependencies: [.package(name: "granary", path: "../..")],
    targets: [
        .target(
            name: "GlossarySearch",
            dependencies: [
                .product(name: "Combine", package: "granary"),
                .product(name: "Ricemill", package: "granary"),
            ]),
        .executableTarget(
            name: "GlossaryServer",
            dependencies: [
                "GlossarySearch",
                .product(name: "Combine", package: "granary"),
                .product(name: "Granary", package: "granary"),
                .product(name: "RicemillAdapter", package: "granary"),
            ]),
        .testTarget(
            name: "GlossarySearchTests",
            dependencies: [
                "GlossarySearch",
                .product(name: "Combine", package: "granary"),
                .product(name: "Granary", package: "granary"),
                .product(name: "MachineTesting", package: "granary"),
                .product(name: "RicemillAdapter", package: "granary"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

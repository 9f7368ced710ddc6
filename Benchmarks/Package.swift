// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever uses the server does not build what measures it. `Scripts/bench` runs it.
let package = Package(
    name: "granary-benchmarks",
    products: [
        .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
        .executable(name: "combine-bench", targets: ["CombineBench"]),
    ],
    dependencies: [.package(name: "granary", path: "..")],
    targets: [
        .target(name: "AllocationCounter"),
        .target(name: "CHeap"),
        .executableTarget(
            name: "CombineBench",
            dependencies: [
                "CHeap",
                .product(name: "CombineCore", package: "granary"),
                .product(name: "Ricemill", package: "granary"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

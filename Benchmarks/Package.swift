// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the server do not build the benchmarks. `Scripts/bench` runs it.
let package = Package(
    name: "granary-benchmarks",
    products: [
        .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
        .library(name: "HeapRecorder", type: .dynamic, targets: ["HeapRecorder"]),
        .library(name: "ReferenceCounter", type: .dynamic, targets: ["ReferenceCounter"]),
        .executable(name: "combine-bench", targets: ["CombineBench"]),
        .executable(name: "http-bench-server", targets: ["HTTPBenchServer"]),
        .executable(name: "session-load", targets: ["SessionLoad"]),
        .executable(name: "handshake-load", targets: ["HandshakeLoad"]),
        .executable(name: "idle-load", targets: ["IdleLoad"]),
        .executable(name: "bare-loop", targets: ["BareLoop"]),
        .executable(name: "capture-bench", targets: ["CaptureBench"]),
    ],
    dependencies: [.package(name: "granary", path: "..")],
    targets: [
        .target(name: "AllocationCounter"),
        .target(name: "HeapRecorder", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "ReferenceCounter", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CHeap"),
        .executableTarget(
            name: "CombineBench",
            dependencies: [
                "CHeap",
                .product(name: "CombineCore", package: "granary"),
                .product(name: "Ricemill", package: "granary"),
            ]),
        // The server under test, the load generators for it and its peers, and the peer that is only a loop.
        .executableTarget(
            name: "HTTPBenchServer",
            dependencies: [
                "ComposableAdapter", "ComposableMacros", "DemoMachines", "Granary", "HTTPModel", "HTTPServer",
                "MachineHost", "RicemillAdapter", "TLS",
            ].map {
                .product(name: $0, package: "granary")
            }),
        .target(name: "LoadKit"),
        .executableTarget(name: "SessionLoad", dependencies: ["LoadKit"]),
        .executableTarget(
            name: "HandshakeLoad", dependencies: ["LoadKit"],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .executableTarget(
            name: "IdleLoad", dependencies: ["LoadKit"],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .executableTarget(name: "BareLoop", dependencies: ["LoadKit"]),
        // What the capture of a session's state costs.
        .executableTarget(
            name: "CaptureBench",
            dependencies: ["CombineCore", "DemoMachines", "Ricemill", "StateCapture"].map {
                .product(name: $0, package: "granary")
            }),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// The fuzz targets: the name for `Scripts/fuzz`, the Swift target, and the modules of the server that it tests.
let entries: [(name: String, target: String, modules: [String])] = [
    ("http1-requests", "HTTP1Requests", ["HTTP1", "HTTPModel"]),
    ("http1-chunks", "HTTP1Chunks", ["HTTP1", "HTTPModel"]),
    ("http2-frames", "HTTP2Frames", ["HTTP2", "HTTPModel"]),
    ("event-stream", "EventStreams", ["HTTPModel"]),
    ("field-values", "FieldValues", ["HTTP1", "HTTPModel"]),
    ("proxy-headers", "ProxyHeaders", ["HTTPModel", "HTTPServer"]),
    ("json", "JSONTexts", ["JSONText"]),
    ("session-imports", "SessionImports", ["HTTPModel", "MachineHost", "StateCapture"]),
]

// A separate package, because it needs its own build options. `Scripts/fuzz` passes them.
let package = Package(
    name: "granary-fuzzing",
    products: entries.map { .executable(name: $0.name, targets: [$0.target]) },
    dependencies: [.package(name: "granary", path: "..")],
    targets: [
        .target(name: "CLibFuzzer"),
        .target(name: "Fuzz", dependencies: ["CLibFuzzer", .product(name: "HTTPModel", package: "granary")]),
    ]
        + entries.map { entry in
            .executableTarget(
                name: entry.target,
                dependencies: ["Fuzz"] + entry.modules.map { .product(name: $0, package: "granary") },
                swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-parse-as-library"])])
        },
    swiftLanguageModes: [.v6]
)

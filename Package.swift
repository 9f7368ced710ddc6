// swift-tools-version: 6.2
import PackageDescription

/// Whether modules that are not for users are products as well. The benchmarks and fuzzers are packages of their own and use
/// such modules; `Scripts/bench` and `Scripts/fuzz` set the variable.
let publishesAllModules = Context.environment["GRANARY_ALL_MODULES"] != nil

/// The modules, lowest layer first: a module may depend only on modules named above it.
/// `Docs/architecture.md` says what each is for.
let modules: [Module] = [
    // Layer 0: the system.
    .system("CBrotli", pkgConfig: "libbrotlienc", apt: "libbrotli-dev"),
    .system("CLinux"),
    .system("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
    .system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    .system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    .system("CStateSlot"),
    .system("CTurnSlot"),
    .system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    // Layer 1: values and vocabularies.
    .module("Locking"),
    .module("JSONText"),
    .library("Log", needs: ["JSONText", "Locking"]),
    .module("ProcessLifecycle"),
    .library("HTTPModel", needs: ["JSONText"]),
    .module("StateCapture", needs: ["CStateSlot", "JSONText", "Locking"]),
    .module("CombineCore", needs: ["Locking", "StateCapture"]),
    // Layer 2: engines and names over one core.
    .library("Combine", with: ["CombineCore"], needs: ["CombineCore"]),
    .library("CombineSchedulers", needs: ["CombineCore", "Locking"]),
    .module("HTTP1", needs: ["HTTPModel"]),
    .module("HTTP2", needs: ["CNGHTTP2", "HTTPModel", "Locking"]),
    .module("HTTPCompression", needs: ["CBrotli", "CZlib", "HTTPModel"]),
    .module("TLS", needs: ["COpenSSL", "Locking"]),
    .library("Access", needs: ["COpenSSL", "HTTPModel", "JSONText", "Log"]),
    // Layer 3: frameworks and clients.
    .library("Ricemill", needs: ["CombineCore", "StateCapture"]),
    .library("AsyncBinding", needs: ["CombineCore", "Locking"]),
    .library("RxCore", needs: ["CombineCore", "Locking", "StateCapture"]),
    .library("Unio", needs: ["RxCore", "StateCapture"]),
    .module("GitHubAPI", needs: ["CombineCore", "JSONText", "Locking"]),
    .module("CasePaths", needs: ["Locking"]),
    .library(
        "ComposableArchitecture", with: ["CasePaths"],
        needs: ["CasePaths", "CombineCore", "CombineSchedulers", "Locking", "StateCapture"]),
    // Layer 4: hosting.
    .library(
        "MachineHost",
        needs: [
            "Access", "COpenSSL", "CTurnSlot", "CombineCore", "HTTPModel", "JSONText", "Locking", "Log", "StateCapture",
        ]),
    .module("SQLiteJournal", needs: ["CSQLite", "MachineHost"]),
    .library(
        "MachineAdapters",
        needs: [
            "CasePaths", "CombineCore", "ComposableArchitecture", "JSONText", "MachineHost", "Ricemill", "RxCore",
            "StateCapture", "Unio",
        ]),
    .library(
        "HTTPServer", needs: ["CLinux", "HTTP1", "HTTP2", "HTTPCompression", "HTTPModel", "Locking", "Log", "TLS"]),
    // Layer 5: what users import.
    .module(
        "DemoMachines",
        needs: [
            "CombineCore", "CombineSchedulers", "ComposableArchitecture", "GitHubAPI", "MachineAdapters", "MachineHost",
            "Ricemill", "RxCore", "Unio",
        ]),
    .library(
        "Granary", with: ["Access"],
        needs: [
            "Access", "CLinux", "CombineCore", "HTTP1", "HTTP2", "HTTPModel", "HTTPServer", "JSONText", "Locking",
            "Log", "MachineAdapters", "MachineHost", "ProcessLifecycle", "SQLiteJournal", "TLS",
        ], resources: [.embedInCode("Pages")]),
    // Layer 6: composition.
    .executable(
        "GranaryCommand", product: "granary",
        needs: [
            "CombineCore", "CombineSchedulers", "ComposableArchitecture", "DemoMachines", "GitHubAPI", "Granary", "Log",
            "MachineAdapters", "MachineHost", "Unio",
        ], resources: [.embedInCode("Pages")]),
    // Fixed routes for suites and load generators; not in the image.
    .executable(
        "HTTPTarget", product: "http-target",
        needs: ["HTTP1", "HTTPModel", "HTTPServer", "JSONText", "Log", "ProcessLifecycle", "TLS"]),
    // What users may begin with; the README shows it.
    .example("SmallestMachine", needs: ["Combine", "Granary", "Ricemill"]),
    // Test kits: products, because users need them too.
    .library("CombineTesting", needs: ["CombineCore", "CombineSchedulers", "Locking"]),
    .module("HTTP2Testing", needs: ["CNGHTTP2", "HTTPModel"]),
    .library(
        "HTTPServerTesting",
        needs: ["CLinux", "COpenSSL", "HTTP2Testing", "HTTPModel", "HTTPServer", "Log", "TLS"]),
    .library("RxTesting", needs: ["RxCore"]),
    .library(
        "MachineTesting",
        needs: ["Access", "CombineCore", "HTTPModel", "JSONText", "Locking", "Log", "MachineHost", "StateCapture"]),
    .library("JournalTesting", needs: ["MachineHost", "StateCapture"]),

    // Support for the tests of this package; not products.
    .module("CompilerTesting", path: "Tests/CompilerTesting"),
    .module("CaptureTesting", needs: ["CombineCore"], path: "Tests/CaptureTesting"),

    .tests("LockingTests", needs: ["Locking"]),
    .tests("JSONTextTests", needs: ["JSONText"]),
    .tests("StateCaptureTests", needs: ["JSONText", "Locking", "StateCapture"]),
    .tests("LogTests", needs: ["Locking", "Log"]),
    .tests("HTTPModelTests", needs: ["HTTPModel"]),
    .tests(
        "CombineCoreTests", needs: ["CombineCore", "CombineSchedulers", "CombineTesting", "Locking", "StateCapture"]),
    .tests("CombineTests", needs: ["Combine", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "Log"]),
    .tests("CombineTestingTests", needs: ["CombineCore", "CombineTesting"]),
    .tests("CombineSchedulersTests", needs: ["CombineCore", "CombineSchedulers", "Locking"]),
    .tests("HTTP1Tests", needs: ["HTTP1", "HTTPModel"]),
    .tests("HTTP2Tests", needs: ["HTTP2", "HTTP2Testing", "HTTPModel"]),
    .tests("HTTPCompressionTests", needs: ["HTTPCompression", "HTTPModel"]),
    .tests("TLSTests", needs: ["COpenSSL", "TLS"]),
    .tests("AccessTests", needs: ["Access", "COpenSSL", "HTTPModel", "JSONText", "Locking", "Log"]),
    .tests("RicemillTests", needs: ["CombineCore", "CompilerTesting", "Ricemill", "StateCapture"]),
    .tests("AsyncBindingTests", needs: ["AsyncBinding", "CombineCore"]),
    .tests("RxCoreTests", needs: ["CaptureTesting", "CombineCore", "RxCore", "RxTesting", "StateCapture"]),
    .tests("RxTestingTests", needs: ["RxCore", "RxTesting"]),
    .tests(
        "UnioTests", needs: ["CaptureTesting", "CombineCore", "CompilerTesting", "RxCore", "StateCapture", "Unio"]),
    .tests("CasePathsTests", needs: ["CasePaths"]),
    .tests(
        "ComposableArchitectureTests",
        needs: [
            "CasePaths", "CombineCore", "CombineSchedulers", "ComposableArchitecture", "Locking", "StateCapture",
        ]),
    .tests("ComposableSpellingTests", needs: ["ComposableArchitecture"]),
    .tests(
        "GitHubAPITests",
        needs: ["CombineCore", "GitHubAPI", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "Log"]),
    .tests("SQLiteJournalTests", needs: ["JournalTesting", "MachineHost", "SQLiteJournal", "StateCapture"]),
    .tests(
        "MachineHostTests",
        needs: [
            "Access", "CTurnSlot", "CombineCore", "HTTPModel", "JSONText", "JournalTesting", "Locking", "Log",
            "MachineHost", "MachineTesting", "StateCapture",
        ]),
    .tests(
        "MachineAdaptersTests",
        needs: [
            "Access", "CombineCore", "CombineSchedulers", "ComposableArchitecture", "HTTPModel", "JSONText", "Locking",
            "Log", "MachineAdapters", "MachineHost", "MachineTesting", "Ricemill", "RxCore", "StateCapture", "Unio",
        ]),
    .tests(
        "HTTPServerTests",
        needs: [
            "HTTP1", "HTTP2", "HTTP2Testing", "HTTPCompression", "HTTPModel", "HTTPServer", "HTTPServerTesting",
            "Locking", "Log", "TLS",
        ]),
    .tests(
        "HTTPServerVirtualTests",
        needs: ["HTTP2", "HTTP2Testing", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "TLS"]),
    .tests(
        "DemoMachinesTests",
        needs: [
            "Access", "CombineCore", "CombineSchedulers", "ComposableArchitecture", "DemoMachines", "GitHubAPI",
            "HTTPModel",
            "MachineAdapters", "MachineHost", "MachineTesting", "Ricemill", "RxCore", "RxTesting", "Unio",
        ]),
    .tests("MachineTestingTests", needs: ["HTTPModel", "Locking", "MachineHost", "MachineTesting"]),
    .tests(
        "GranaryTests",
        needs: [
            "Access", "COpenSSL", "Granary", "HTTP1", "HTTP2", "HTTP2Testing", "HTTPCompression", "HTTPModel",
            "HTTPServer",
            "HTTPServerTesting", "JSONText", "Locking", "Log", "MachineHost", "MachineTesting", "ProcessLifecycle",
            "SQLiteJournal", "StateCapture", "TLS",
        ]),
    .tests(
        "HTTPTargetTests",
        needs: ["HTTP2Testing", "HTTPModel", "HTTPServer", "HTTPServerTesting", "HTTPTarget", "Log", "TLS"]),
    .tests(
        "EndToEndTests",
        needs: ["CLinux", "GranaryCommand", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "TLS"]),
    .tests(
        "DocumentationTests",
        needs: [
            "Access", "AsyncBinding", "Combine", "ComposableArchitecture", "Granary", "HTTPModel", "HTTPServer",
            "HTTPServerTesting", "MachineTesting", "Ricemill", "RxCore", "Unio",
        ]),
]

let package = Package(
    name: "granary",
    products: modules.compactMap(\.product),
    targets: modules.map(\.target),
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

/// One module: its target, and its product if users may depend on it.
struct Module {
    let target: Target
    let product: Product?

    static func system(_ name: String) -> Module {
        Module(target: .target(name: name), product: nil)
    }

    /// A library of the system's, known by a module map and found by `pkg-config`.
    static func system(_ name: String, pkgConfig: String, apt package: String) -> Module {
        Module(
            target: .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])]), product: nil)
    }

    /// A module that users get as a product, together with modules of which it re-exports names.
    static func library(
        _ name: String, with others: [String] = [], needs: [String] = [], resources: [Resource] = []
    ) -> Module {
        Module(
            target: .target(name: name, dependencies: needs.map { .init(stringLiteral: $0) }, resources: resources),
            product: .library(name: name, targets: [name] + others))
    }

    /// A module for the package itself. Its interface may change at any time.
    static func module(
        _ name: String, needs: [String] = [], path: String? = nil, resources: [Resource] = []
    ) -> Module {
        Module(
            target: .target(
                name: name, dependencies: needs.map { .init(stringLiteral: $0) }, path: path, resources: resources),
            product: publishesAllModules ? .library(name: name, targets: [name]) : nil)
    }

    static func executable(
        _ name: String, product: String, needs: [String], resources: [Resource] = []
    ) -> Module {
        Module(
            target: .executableTarget(
                name: name, dependencies: needs.map { .init(stringLiteral: $0) }, resources: resources),
            product: .executable(name: product, targets: [name]))
    }

    static func example(_ name: String, needs: [String]) -> Module {
        Module(
            target: .executableTarget(
                name: name, dependencies: needs.map { .init(stringLiteral: $0) }, path: "Examples/\(name)"),
            product: nil)
    }

    static func tests(_ name: String, needs: [String]) -> Module {
        Module(target: .testTarget(name: name, dependencies: needs.map { .init(stringLiteral: $0) }), product: nil)
    }
}

// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// Whether modules that are not for users are products as well. The benchmarks and fuzzers are packages of their own and use
/// such modules; `Scripts/bench` and `Scripts/fuzz` set the variable.
let publishesAllModules = Context.environment["GRANARY_ALL_MODULES"] != nil

/// The test targets to build, separated by commas, or `nil` for all of them. SwiftPM links all tests into one program, so without a
/// choice it builds every module for a test of one.
let requestedTests = Context.environment["GRANARY_TESTS"].map { $0.split(separator: ",").map(String.init) }

/// Whether the client library of PostgreSQL is installed. Without it, everything but its driver is built, and the configuration refuses
/// such a journal. SwiftPM remembers the answer for this manifest: after installing the library, run `swift package purge-cache`.
let hasPostgreSQL = ["/usr/include", "/usr/local/include"].contains { folder in
    ["postgresql/libpq-fe.h", "libpq-fe.h"].contains { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
}
let postgreSQLModules: Set = ["CPostgreSQL", "PostgreSQLJournal", "PostgreSQLJournalTests"]

/// The folders of `Sources`, lowest layer first, and their modules. A module may depend only on modules that are named above it.
/// `Docs/architecture.md` says what each is for.
let layers: [(folder: String, modules: [Module])] = [
    (
        "Base",
        [
            .system("CLinux"),
            .system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
            .system("CRuntime"),
            .module("Locking"),
            .module("JSONText"),
            .library("Log", needs: ["JSONText", "Locking"]),
            .module("ProcessLifecycle", needs: ["CLinux", "Locking"]),
            .module("StateCapture", needs: ["CRuntime", "JSONText", "Locking"]),
        ]
    ),
    (
        "Frameworks",
        [
            .module("IssueReporting", needs: ["Locking"]),
            .module("MacroExpansion"),
            .macro("MacroPlugin", needs: ["MacroExpansion"]),
            .module("CombineCore", needs: ["Locking", "StateCapture"]),
            .library("Combine", with: ["CombineCore"], needs: ["CombineCore"]),
            .library("CombineSchedulers", needs: ["CombineCore", "IssueReporting", "Locking"]),
            .module("CasePaths", needs: ["IssueReporting", "Locking"]),
            .library("CasePathMacros", with: ["CasePaths"], needs: ["CasePaths", "MacroPlugin"]),
            .library("Ricemill", needs: ["CombineCore", "StateCapture"]),
            .library("AsyncBinding", needs: ["CombineCore", "Locking"]),
            .library("RxCore", needs: ["CombineCore", "Locking", "StateCapture"]),
            .library("Unio", needs: ["RxCore", "StateCapture"]),
            .library(
                "ComposableArchitecture", with: ["CasePaths", "IssueReporting"],
                needs: [
                    "CasePaths", "CombineCore", "CombineSchedulers", "IssueReporting", "JSONText", "Locking",
                    "StateCapture",
                ]),
            .library(
                "ComposableMacros", with: ["CasePaths", "IssueReporting"],
                needs: ["CasePathMacros", "ComposableArchitecture", "MacroPlugin"]),
        ]
    ),
    (
        "HTTP",
        [
            .system("CBrotli", pkgConfig: "libbrotlienc", apt: "libbrotli-dev"),
            .system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
            .system("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
            .system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
            .library("HTTPModel", needs: ["JSONText"]),
            .module("HTTP1", needs: ["HTTPModel"]),
            .module("HTTP2", needs: ["CNGHTTP2", "HTTPModel", "Locking"]),
            .module("TLS", needs: ["COpenSSL", "Locking"]),
            .library(
                "HTTPServer",
                needs: ["CBrotli", "CLinux", "CZlib", "HTTP1", "HTTP2", "HTTPModel", "Locking", "Log", "TLS"]),
            .module("HTTPTransfer", needs: ["CCurl", "Locking"]),
        ]
    ),
    (
        "Host",
        [
            .system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
            .library("Access", needs: ["COpenSSL", "HTTPModel", "JSONText", "Locking", "Log"]),
            .module("Telemetry", needs: ["HTTPModel", "JSONText", "Locking"]),
            .library(
                "MachineHost",
                needs: [
                    "Access", "COpenSSL", "CRuntime", "CombineCore", "HTTPModel", "JSONText", "Locking", "Log",
                    "StateCapture", "Telemetry",
                ]),
            .module("Contract", needs: ["Access", "HTTPModel", "JSONText", "MachineHost"]),
            .module("SQLiteJournal", needs: ["CLinux", "CSQLite", "MachineHost", "ProcessLifecycle"]),
            .system("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
            .module("PostgreSQLJournal", needs: ["CPostgreSQL", "Locking", "MachineHost"]),
            .library(
                "MachineAdapters",
                needs: ["CombineCore", "HTTPModel", "JSONText", "Locking", "Log", "MachineHost", "StateCapture"]),
            // One module for each framework, so that a program compiles only those that it uses.
            .library("RicemillAdapter", needs: ["MachineAdapters", "MachineHost", "Ricemill", "StateCapture"]),
            .library(
                "UnioAdapter",
                needs: ["CombineCore", "MachineAdapters", "MachineHost", "RxCore", "StateCapture", "Unio"]),
            .library(
                "ComposableAdapter",
                needs: [
                    "CasePaths", "CombineCore", "ComposableArchitecture", "JSONText", "Locking", "Log",
                    "MachineAdapters", "MachineHost", "StateCapture",
                ]),
        ]
    ),
    (
        "App",
        [
            .system("CBuildInformation"),
            .system("CPages"),
            .module("PackageTemplates", needs: []),
            .module("Development", needs: ["CLinux", "ProcessLifecycle"]),
            .module("GitHubAPI", needs: ["CombineCore", "HTTPModel", "HTTPTransfer", "JSONText", "Locking"]),
            .library(
                "GranaryClient", needs: ["CombineCore", "HTTPModel", "HTTPTransfer", "JSONText"],
                onlyOnLinux: ["CombineCore", "HTTPTransfer"]),
            .module(
                "DemoMachines",
                needs: [
                    "CombineCore", "CombineSchedulers", "ComposableAdapter", "ComposableArchitecture",
                    "ComposableMacros", "GitHubAPI", "Locking", "MachineAdapters", "MachineHost", "Ricemill",
                    "RicemillAdapter", "RxCore", "Unio",
                ]),
            .library(
                "Granary", with: ["Access"],
                needs: [
                    "Access", "CBrotli", "CBuildInformation", "CCurl", "CLinux", "CNGHTTP2", "COpenSSL", "CPages",
                    "CSQLite", "CZlib", "CombineCore", "Contract", "HTTP1", "HTTP2", "HTTPModel", "HTTPServer",
                    "HTTPTransfer", "JSONText", "Locking", "Log", "MachineAdapters", "MachineHost", "PostgreSQLJournal",
                    "ProcessLifecycle", "SQLiteJournal", "StateCapture", "TLS", "Telemetry",
                ], excludes: ["Inspector", "Pages"]),
            .executable(
                "GranaryCommand", product: "granary",
                needs: [
                    "CombineCore", "CombineSchedulers", "ComposableArchitecture", "DemoMachines", "Development",
                    "GitHubAPI", "Granary", "Log", "MachineHost", "PackageTemplates", "RicemillAdapter", "Unio",
                    "UnioAdapter",
                ], resources: [.embedInCode("Pages")]),
        ]
    ),
    (
        "Kits",
        [
            // Products, because users need them too.
            .library("CombineTesting", needs: ["CombineCore", "CombineSchedulers", "Locking"]),
            .library("ComposableTesting", needs: ["ComposableArchitecture"]),
            .library("RxTesting", needs: ["RxCore"]),
            .library(
                "HTTPServerTesting",
                needs: [
                    "CBrotli", "CLinux", "CNGHTTP2", "COpenSSL", "CZlib", "HTTPModel", "HTTPServer", "Log", "TLS",
                ]),
            .library(
                "MachineTesting",
                needs: [
                    "Access", "CombineCore", "HTTPModel", "JSONText", "Locking", "Log", "MachineHost", "StateCapture",
                    "Telemetry",
                ]),
            .library("JournalTesting", needs: ["MachineHost", "StateCapture"]),
            // Fixed routes for suites and load generators; not in the image.
            .executable(
                "HTTPTarget", product: "http-target",
                needs: ["HTTP1", "HTTPModel", "HTTPServer", "JSONText", "Log", "ProcessLifecycle", "TLS"]),
            // The server that `Scripts/crash-test` kills, and the judge of what its clients saw; not in the image.
            .executable("CrashChecker", needs: ["JournalTesting"]),
            .executable(
                "CrashTestServer",
                needs: [
                    "CombineCore", "ComposableAdapter", "ComposableArchitecture", "Granary", "HTTPServer",
                    "MachineAdapters", "MachineHost", "Ricemill", "RicemillAdapter", "RxCore", "SQLiteJournal",
                    "StateCapture", "Unio", "UnioAdapter",
                ]),
        ]
    ),
]

for layer in layers {
    for module in layer.modules {
        module.target.path = "Sources/\(layer.folder)/\(module.target.name)"
    }
}

/// Examples and tests.
let others: [Module] = [
    // What users may begin with; the README shows it.
    .example("SmallestMachine", needs: ["Granary"]),
    // Support for the tests of this package; not products.
    .module("CompilerTesting", path: "Tests/CompilerTesting"),
    .module("CaptureTesting", needs: ["CombineCore"], path: "Tests/CaptureTesting"),
    .module("StackTesting", path: "Tests/StackTesting"),

    .tests("LockingTests", needs: ["Locking"]),
    .tests("JSONTextTests", needs: ["JSONText"]),
    .tests("StateCaptureTests", needs: ["JSONText", "Locking", "StateCapture"]),
    .tests("LogTests", needs: ["Locking", "Log"]),
    .tests("HTTPModelTests", needs: ["HTTPModel"]),
    .tests("TelemetryTests", needs: ["HTTPModel", "JSONText", "Locking", "Telemetry"]),
    .tests(
        "CombineCoreTests",
        needs: [
            "CaptureTesting", "CombineCore", "CombineSchedulers", "CombineTesting", "Locking", "StackTesting",
            "StateCapture",
        ]),
    .tests("CombineTests", needs: ["Combine", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "Log"]),
    .tests("CombineTestingTests", needs: ["CombineCore", "CombineTesting"]),
    .tests("CombineSchedulersTests", needs: ["CombineCore", "CombineSchedulers", "IssueReporting", "Locking"]),
    .tests("PackageTemplatesTests", needs: ["PackageTemplates"]),
    .tests("DevelopmentTests", needs: ["CLinux", "Development", "ProcessLifecycle"]),
    .tests("HTTP1Tests", needs: ["HTTP1", "HTTPModel"]),
    .tests("HTTP2Tests", needs: ["HTTP2", "HTTPModel", "HTTPServerTesting"]),
    .tests("TLSTests", needs: ["COpenSSL", "TLS"]),
    .tests(
        "HTTPTransferTests", needs: ["HTTPModel", "HTTPServer", "HTTPServerTesting", "HTTPTransfer", "Locking", "TLS"]),
    .tests("AccessTests", needs: ["Access", "COpenSSL", "HTTPModel", "JSONText", "Locking", "Log"]),
    .tests("RicemillTests", needs: ["CombineCore", "CompilerTesting", "Ricemill", "StateCapture"]),
    .tests("AsyncBindingTests", needs: ["AsyncBinding", "CombineCore"]),
    .tests(
        "RxCoreTests",
        needs: ["CaptureTesting", "CombineCore", "Locking", "RxCore", "RxTesting", "StackTesting", "StateCapture"]),
    .tests("RxTestingTests", needs: ["RxCore", "RxTesting"]),
    .tests(
        "UnioTests", needs: ["CaptureTesting", "CombineCore", "CompilerTesting", "RxCore", "StateCapture", "Unio"]),
    .tests("MacroExpansionTests", needs: ["MacroExpansion"]),
    .tests("CasePathsTests", needs: ["CasePaths"]),
    .tests("CasePathMacrosTests", needs: ["CasePathMacros", "IssueReporting"]),
    .tests(
        "ComposableArchitectureTests",
        needs: [
            "CasePaths", "CombineCore", "CombineSchedulers", "ComposableArchitecture", "IssueReporting", "JSONText",
            "Locking", "StackTesting", "StateCapture",
        ]),
    .tests("ComposableSpellingTests", needs: ["ComposableArchitecture"]),
    .tests(
        "ComposableMacrosTests",
        needs: [
            "CasePathMacros", "CombineSchedulers", "ComposableArchitecture", "ComposableMacros", "HTTPServerTesting",
            "Locking",
        ]),
    .tests("ComposableTestingTests", needs: ["ComposableArchitecture", "ComposableTesting"]),
    .tests(
        "GitHubAPITests",
        needs: [
            "CombineCore", "GitHubAPI", "HTTPModel", "HTTPServer", "HTTPServerTesting", "HTTPTransfer", "Locking",
            "Log",
        ]),
    .tests(
        "GranaryClientTests",
        needs: [
            "CombineCore", "GranaryClient", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "Log",
            "MachineHost", "MachineTesting",
        ]),
    .tests("ContractTests", needs: ["Access", "Contract", "HTTPModel", "JSONText", "MachineHost", "MachineTesting"]),
    .tests(
        "SQLiteJournalTests",
        needs: [
            "CLinux", "HTTPModel", "JournalTesting", "Locking", "MachineHost", "MachineTesting", "SQLiteJournal",
            "StateCapture",
        ]),
    .tests(
        "PostgreSQLJournalTests",
        needs: ["CLinux", "JournalTesting", "Locking", "MachineHost", "PostgreSQLJournal", "StateCapture"]),
    .tests(
        "MachineHostTests",
        needs: [
            "Access", "CRuntime", "CaptureTesting", "CombineCore", "HTTPModel", "JSONText", "JournalTesting", "Locking",
            "Log", "MachineHost", "MachineTesting", "StateCapture", "Telemetry",
        ]),
    // The tests of all adapters, which host the same machines in several styles.
    .tests(
        "MachineAdaptersTests",
        needs: [
            "Access", "CasePaths", "CombineCore", "CombineSchedulers", "ComposableAdapter", "ComposableArchitecture",
            "ComposableMacros", "HTTPModel", "JSONText", "Locking", "Log", "MachineAdapters", "MachineHost",
            "MachineTesting", "Ricemill", "RicemillAdapter", "RxCore", "StateCapture", "Unio", "UnioAdapter",
        ]),
    .tests(
        "HTTPServerTests",
        needs: ["CLinux", "HTTP1", "HTTP2", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "Log", "TLS"]),
    .tests(
        "HTTPServerVirtualTests",
        needs: ["CLinux", "HTTP2", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking", "TLS"]),
    .tests(
        "DemoMachinesTests",
        needs: [
            "Access", "CombineCore", "CombineSchedulers", "CompilerTesting", "ComposableAdapter",
            "ComposableArchitecture", "Contract", "DemoMachines", "GitHubAPI", "GranaryClient", "HTTPModel",
            "HTTPServerTesting", "Locking", "MachineHost", "MachineTesting", "Ricemill", "RicemillAdapter", "RxCore",
            "RxTesting", "Unio", "UnioAdapter",
        ]),
    .tests("MachineTestingTests", needs: ["HTTPModel", "Locking", "MachineHost", "MachineTesting"]),
    .tests(
        "GranaryTests",
        needs: [
            "Access", "CLinux", "COpenSSL", "CPages", "CombineCore", "Contract", "Granary", "HTTP1", "HTTP2",
            "HTTPModel", "HTTPServer", "HTTPServerTesting", "JSONText", "Locking", "Log", "MachineHost",
            "MachineTesting", "ProcessLifecycle", "SQLiteJournal", "StateCapture", "TLS", "Telemetry",
        ]),
    .tests(
        "HTTPTargetTests",
        needs: ["HTTP1", "HTTPModel", "HTTPServer", "HTTPServerTesting", "HTTPTarget", "Log", "TLS"]),
    .tests(
        "EndToEndTests",
        needs: [
            "CLinux", "CrashTestServer", "GranaryCommand", "HTTPModel", "HTTPServer", "HTTPServerTesting", "Locking",
            "ProcessLifecycle", "TLS",
        ]),
    .tests(
        "DocumentationTests",
        needs: [
            "Access", "AsyncBinding", "CasePathMacros", "Combine", "ComposableAdapter", "ComposableArchitecture",
            "ComposableMacros", "Granary", "HTTPModel", "HTTPServer", "HTTPServerTesting", "MachineTesting", "Ricemill",
            "RicemillAdapter", "RxCore", "Unio", "UnioAdapter",
        ]),
]

let modules = (layers.flatMap(\.modules) + others).filter { module in
    hasPostgreSQL || !postgreSQLModules.contains(module.target.name)
}

let package = Package(
    name: "granary",
    // For the modules that applications use (Docs/clients-swift.md). The server runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: modules.compactMap(\.product),
    targets: modules.map(\.target).filter { target in
        guard target.type == .test, let requestedTests else { return true }
        return requestedTests.contains(target.name)
    },
    swiftLanguageModes: [.v6]
)

if !hasPostgreSQL {
    for target in package.targets {
        target.dependencies.removeAll { dependency in
            if case .byNameItem(let name, _) = dependency { postgreSQLModules.contains(name) } else { false }
        }
    }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// What `--version --verbose` prints (Docs/decisions/0051). Only this module depends on it.
if let commit = Context.environment["BUILD_COMMIT"], !commit.isEmpty, commit.allSatisfy(\.isHexDigit) {
    package.targets.first { $0.name == "CBuildInformation" }?.cSettings = [.define("GRANARY_BUILD_COMMIT", to: commit)]
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

    /// A module that users get as a product, together with modules of which it re-exports names. On Apple's platforms, it does
    /// without some of the modules that it needs on Linux.
    static func library(
        _ name: String, with others: [String] = [], needs: [String] = [], onlyOnLinux: [String] = [],
        excludes: [String] = []
    ) -> Module {
        let dependencies = needs.map { need -> Target.Dependency in
            onlyOnLinux.contains(need)
                ? .target(name: need, condition: .when(platforms: [.linux])) : .init(stringLiteral: need)
        }
        return Module(
            target: .target(name: name, dependencies: dependencies, exclude: excludes),
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

    /// A program that the compiler runs to expand macros, without SwiftSyntax. No test may need it: SwiftPM would build all tests, and
    /// all modules for them, a second time as programs of the build.
    static func macro(_ name: String, needs: [String]) -> Module {
        Module(target: .macro(name: name, dependencies: needs.map { .init(stringLiteral: $0) }), product: nil)
    }

    /// A program, and its product if users may build it under a name of its own.
    static func executable(
        _ name: String, product: String? = nil, needs: [String], resources: [Resource] = []
    ) -> Module {
        Module(
            target: .executableTarget(
                name: name, dependencies: needs.map { .init(stringLiteral: $0) }, resources: resources),
            product: product.map { .executable(name: $0, targets: [name]) })
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

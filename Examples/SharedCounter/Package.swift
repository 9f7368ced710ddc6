// swift-tools-version: 6.2
import PackageDescription

// The manifest is evaluated on the machine that builds. For an app on a phone, that is the Mac.
#if os(Linux)
    let packages: [Package.Dependency] = [.package(name: "granary", path: "../..")]
    let frameworks: [Target.Dependency] = [
        .product(name: "Combine", package: "granary"),
        .product(name: "ComposableMacros", package: "granary"),
        .product(name: "Ricemill", package: "granary"),
        .product(name: "RxCore", package: "granary"),
        .product(name: "Unio", package: "granary"),
    ]
    let server: [Target] = [
        .executableTarget(
            name: "CounterServer",
            dependencies: [
                "SharedCounter",
                .product(name: "Combine", package: "granary"),
                .product(name: "ComposableAdapter", package: "granary"),
                .product(name: "ComposableArchitecture", package: "granary"),
                .product(name: "Granary", package: "granary"),
                .product(name: "RicemillAdapter", package: "granary"),
                .product(name: "UnioAdapter", package: "granary"),
            ]),
        .testTarget(
            name: "CounterServerTests",
            dependencies: [
                "SharedCounter",
                .product(name: "Combine", package: "granary"),
                .product(name: "ComposableAdapter", package: "granary"),
                .product(name: "ComposableArchitecture", package: "granary"),
                .product(name: "Granary", package: "granary"),
                .product(name: "MachineTesting", package: "granary"),
                .product(name: "RicemillAdapter", package: "granary"),
                .product(name: "UnioAdapter", package: "granary"),
            ]),
    ]
#else
    let packages: [Package.Dependency] = [
        .package(url: "https://github.com/cats-oss/Unio.git", from: "0.11.0"),
        .package(url: "https://github.com/marty-suzuki/Ricemill.git", branch: "master"),
        .package(url: "https://github.com/pointfreeco/swift-composable-architecture.git", from: "1.25.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift.git", from: "6.0.0"),
    ]
    let frameworks: [Target.Dependency] = [
        .product(name: "ComposableArchitecture", package: "swift-composable-architecture"),
        .product(name: "Ricemill", package: "Ricemill"),
        .product(name: "RxRelay", package: "RxSwift"),
        .product(name: "RxSwift", package: "RxSwift"),
        .product(name: "Unio", package: "Unio"),
    ]
    let server: [Target] = []
#endif

let package = Package(
    name: "shared-counter",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "SharedCounter", targets: ["SharedCounter"])],
    dependencies: packages,
    targets: [
        .target(name: "SharedCounter", dependencies: frameworks),
        .testTarget(name: "SharedCounterTests", dependencies: ["SharedCounter"] + frameworks),
    ] + server,
    swiftLanguageModes: [.v6]
)

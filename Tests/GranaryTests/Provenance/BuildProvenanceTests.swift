import Testing

@testable import Granary

@Suite struct BuildProvenanceTests {
    @Test func `the text states commit, toolchain and build`() {
        let stated = BuildProvenance(
            commit: "97118f62", language: "6.3", compiler: "clang 21", isDebug: false, architecture: "aarch64")
        #expect(
            stated.text([
                LinkedLibrary(name: "openssl", version: "3.0.1", license: "Apache-2.0"),
                LinkedLibrary(name: "zlib", version: "1.2.3", license: "Zlib"),
            ]) == """
                granary    \(GranaryVersion.current)
                commit     97118f62
                toolchain  Swift 6.3, clang 21
                build      release, aarch64, Linux
                libraries  openssl 3.0.1, zlib 1.2.3
                """)
        let other = BuildProvenance(
            commit: nil, language: "6.3", compiler: "clang 21", isDebug: true, architecture: "x86_64")
        #expect(other.text([]).contains("commit     unknown: BUILD_COMMIT was not set for the build\n"))
        #expect(other.text([]).contains("build      debug, x86_64, Linux\n"))
    }

    @Test func `the compiler of this build is known`() {
        #expect(BuildProvenance.current.compiler.lowercased().contains("clang"))
        // A commit that a build has stated is one of git's.
        let commit = BuildProvenance.current.commit ?? "0"
        let isHexadecimal = commit.allSatisfy(\.isHexDigit)
        #expect(isHexadecimal, "\(commit)")
    }
}

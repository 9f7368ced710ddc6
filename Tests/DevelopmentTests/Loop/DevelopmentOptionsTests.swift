import Testing

@testable import Development

struct DevelopmentOptionsTests {
    @Test func `without arguments, the only program of the working directory is meant`() throws {
        let options = try DevelopmentOptions([], in: "/app")
        #expect(options.package == "/app" && options.product == nil)
        #expect(options.buildFlags == [] && options.arguments == [])
    }

    @Test func `flags are those of swift build, and arguments after two hyphens those of serve`() throws {
        let options = try DevelopmentOptions(
            ["counter", "-c", "release", "--package-path", "sub", "--", "--http.port", "9000"], in: "/app")
        #expect(options.package == "/app/sub")
        #expect(options.product == "counter")
        #expect(options.buildFlags == ["-c", "release"])
        #expect(options.arguments == ["--http.port", "9000"])
        #expect(try DevelopmentOptions(["--package-path", "/other"], in: "/app").package == "/other")
        #expect(try DevelopmentOptions(["-c", "release"], in: "/app").product == nil)
        let joined = try DevelopmentOptions(["--package-path=a=b", "--scratch-path=/tmp/build"], in: "/app")
        #expect(joined.package == "/app/a=b")
        #expect(joined.buildFlags == ["--scratch-path=/tmp/build"])
    }

    @Test func `commands that do not build use the same folder`() throws {
        let flags = ["-Xswiftc", "-g", "--scratch-path", "/tmp/build"]
        #expect(try DevelopmentOptions(flags, in: "/app").scratchFlags == ["--scratch-path", "/tmp/build"])
        let joined = ["-v", "--scratch-path=/tmp/build", "-c", "release"]
        #expect(try DevelopmentOptions(joined, in: "/app").scratchFlags == ["--scratch-path=/tmp/build"])
        #expect(try DevelopmentOptions(["--scratch-path"], in: "/app").scratchFlags == [])
    }

    @Test(arguments: [
        (["--http.port", "9000"], "dev: expected -- before the flags of serve, got \"--http.port\""),
        (["--package-path"], "--package-path requires a value"),
        (["--package-path="], "--package-path requires a value"),
    ])
    func `an invalid argument says what was expected`(arguments: [String], message: String) {
        #expect(throws: DevelopmentError(message)) { try DevelopmentOptions(arguments, in: "/app") }
    }
}

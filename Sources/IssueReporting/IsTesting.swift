/// Whether this process runs tests, of Swift Testing or of XCTest.
public var isTesting: Bool { RunningTest.isInProcess }

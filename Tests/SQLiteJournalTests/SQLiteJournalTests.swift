import Testing

@testable import JournalTesting

import Foundation
import JournalTesting

// Reads what the clients of `Scripts/crash-test` saw, a line for each `Sighting`, and prints a line for each broken promise.
var checker = SessionChecker()
while let line = readLine() {
    checker.record(try JSONDecoder().decode(Sighting.self, from: Data(line.utf8)))
}
for violation in checker.violations { print(violation) }

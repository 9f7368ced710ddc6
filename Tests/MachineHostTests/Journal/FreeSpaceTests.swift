import Testing

@testable import MachineHost

@Suite struct FreeSpaceTests {
    @Test func `a lookup is due a second after the last one`() {
        var space = FreeSpace(reserve: 1000)
        #expect(space.isDue(now: 5_000))
        let matters = space.begin(now: 5_000)
        #expect(matters)
        #expect(!space.isDue(now: 5_999))
        #expect(space.isDue(now: 6_000))
    }

    @Test func `inputs are refused below the reserve, but not at it`() {
        var space = FreeSpace(reserve: 1000)
        let (enough, short) = (space.found(1000), space.found(999))
        #expect(enough == (false, false))
        #expect(short == (true, true))
    }

    @Test func `one lookup at a time is scheduled while the disk is full`() {
        var space = FreeSpace(reserve: 1000)
        let (first, second) = (space.found(0), space.found(1))
        #expect(first == (true, true))
        #expect(second == (true, false))
        space.repetitionBegins()
        let third = space.found(2)
        #expect(third == (true, true))
        space.repetitionBegins()
        let last = space.found(1000)
        #expect(last == (false, false))
    }

    @Test func `without a reserve, the number of free bytes does not matter`() {
        var space = FreeSpace(reserve: 0)
        let matters = space.begin(now: 1)
        #expect(!matters)
    }
}

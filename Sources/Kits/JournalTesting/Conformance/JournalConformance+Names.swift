import MachineHost

// Checks of sessions with names.
extension JournalConformance {
    private static let owner = SessionOwner(high: 1, low: 2)
    private static let main = SessionName(owner: owner, text: "main")

    static let names: [Check] = [
        Check("A session is found by its owner, its machine and its name") { run in
            let ids = (0..<4).map { StoredSessionID.numbered($0) }
            let other = SessionName(owner: SessionOwner(high: 2, low: 1), text: "main")
            run.expect(try run.journal.session(named: main, of: "counter"), equals: nil, "an unknown name")
            try run.commit { batch in
                batch.add(.store(.of(ids[0], name: main)))
                batch.add(.store(.of(ids[1], name: other)))
                batch.add(.store(.of(ids[2], machine: "search", name: main)))
                batch.add(.store(.of(ids[3])))
            }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: ids[0], "a name")
            run.expect(try run.journal.session(named: other, of: "counter"), equals: ids[1], "another owner's name")
            run.expect(try run.journal.session(named: main, of: "search"), equals: ids[2], "another machine's name")
            let upper = SessionName(owner: owner, text: "Main")
            run.expect(try run.journal.session(named: upper, of: "counter"), equals: nil, "a name in other letters")
            run.expect(try run.journal.load(ids[0])?.snapshot?.summary.name, equals: main, "the name of a session")
            run.expect(try run.journal.load(ids[3])?.snapshot?.summary.name, equals: nil, "no name")
        },
        Check("A name is free when its session has ended or was removed") { run in
            let ids = (1...3).map { StoredSessionID.numbered($0) }
            let (one, two, three) = (ids[0], ids[1], ids[2])
            try run.commit { batch in
                batch.add(.store(.of(one, name: main)))
                batch.add(.store(.of(one, hasEnded: true, name: main)))
            }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: nil, "the name of an ended session")
            try run.commit { $0.add(.store(.of(two, name: main))) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: two, "the name of the next one")
            run.expect(try run.journal.load(one)?.snapshot?.summary.hasEnded, equals: true, "the ended session")
            try run.commit { $0.add(.remove(one)) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: two, "the name after a removal")
            try run.commit { $0.add(.remove(two)) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: nil, "a removed session's name")
            try run.commit { $0.add(.store(.of(three, name: main))) }
            try run.commit { $0.add(.update(SessionSnapshot.of(three, hasEnded: true).summary)) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: nil, "the name after an update")
        },
        Check("A name belongs to the session that was stored with it last") { run in
            let (one, two) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                batch.add(.store(.of(one, name: main)))
                batch.add(.store(.of(two, name: main)))
            }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: two, "the name")
            run.expect(try run.journal.load(one)?.snapshot?.summary.name, equals: nil, "the name of the first session")
            run.expect(try run.journal.load(two)?.snapshot?.summary.name, equals: main, "the name of the second one")
        },
        Check(
            "The owner of a session is known without its content, and survives updates, its end and the loss of its name"
        ) {
            run in
            let (one, two) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            run.expect(try run.journal.summary(of: one), equals: nil, "the summary of an unknown session")
            try run.commit { batch in
                batch.add(.store(.of(one, name: main)))
                batch.add(.store(.of(two, owner: owner)))
                batch.add(.store(.of(two, owner: owner, name: main)))
                batch.add(.update(SessionSnapshot.of(two, usedAt: 9000).summary))
            }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.summary(of: one)?.owner, equals: owner, "the owner without its name")
            run.expect(try run.journal.summary(of: two)?.owner, equals: owner, "the owner after an update")
            run.expect(try run.journal.summary(of: two)?.usedAt, equals: 9000, "the summary after an update")
            try run.commit { $0.add(.store(.of(one, hasEnded: true, owner: owner))) }
            run.expect(try run.journal.load(one)?.snapshot?.summary.owner, equals: owner, "the owner after the end")
            try run.commit { $0.add(.store(.of(one))) }
            run.expect(try run.journal.summary(of: one)?.owner, equals: nil, "the owner after a snapshot without one")
        },
        Check("An update keeps the name of a session, and a snapshot replaces it") { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { $0.add(.store(.of(id, name: main))) }
            try run.commit { $0.add(.update(SessionSnapshot.of(id, usedAt: 9000).summary)) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: id, "the name after an update")
            run.expect(try run.journal.load(id)?.snapshot?.summary.usedAt, equals: 9000, "the time of use")
            try run.commit { $0.add(.store(.of(id))) }
            run.expect(try run.journal.session(named: main, of: "counter"), equals: nil, "the name after a snapshot")
        },
    ]
}

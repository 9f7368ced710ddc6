extension StoredSession {
    /// The name of a session, and the id to which it leads its owner's clients.
    struct Named: Equatable {
        let name: SessionName
        // Ids of sessions without a name are not stored, because whoever knows one may use the session. This one is worth nothing
        // without the credentials of the owner.
        let id: SessionID

        init(name: SessionName, id: SessionID) {
            self.name = name
            self.id = id
        }

        init(_ content: ArraySlice<UInt8>) throws(RecordReader.Damaged) {
            var reader = RecordReader(content)
            let owner = try reader.digest()
            let id = try reader.digest()
            name = SessionName(owner: SessionOwner(high: owner.high, low: owner.low), text: try reader.text())
            self.id = SessionID(high: id.high, low: id.low)
            guard reader.isAtEnd, SessionName.isValid(name.text) else { throw RecordReader.Damaged() }
        }

        var content: [UInt8] {
            var writer = RecordWriter()
            writer.append(RequestDigest(low: name.owner.low, high: name.owner.high))
            writer.append(RequestDigest(low: id.low, high: id.high))
            writer.append(name.text.utf8)
            return writer.take()
        }
    }
}

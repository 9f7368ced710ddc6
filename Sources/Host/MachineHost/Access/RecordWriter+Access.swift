import Access

extension RecordWriter {
    mutating func append(_ principal: Principal) {
        append(UInt64(principal.method.rawValue))
        append(principal.issuer.utf8)
        append(principal.id.utf8)
        append(principal.claims.utf8)
        append(flag: principal.expires != nil)
        if let expires = principal.expires { append(signed: expires.milliseconds) }
    }

    mutating func append(_ sender: InputSender) {
        switch sender {
        case .principal(let principal):
            append(flag: true)
            append(principal)
        case .ticket(let label):
            append(flag: false)
            append(label.utf8)
        }
    }

    mutating func append(_ tickets: TicketLedger) {
        append(UInt64(tickets.generation))
        append(UInt64(tickets.uses.count))
        for use in tickets.uses {
            append(use.nonce.bytes)
            append(UInt64(use.count))
            append(signed: use.expires.milliseconds)
        }
    }
}

extension RecordReader {
    mutating func principal() throws(Damaged) -> Principal {
        guard let number = UInt8(exactly: try number()), let method = Principal.Method(rawValue: number) else {
            throw Damaged()
        }
        let issuer = try text()
        let id = try text()
        let claims = try text()
        let expires = try flag() ? UnixTime(milliseconds: try signedNumber()) : nil
        return Principal(method: method, issuer: issuer, id: id, claims: claims, expires: expires)
    }

    mutating func sender() throws(Damaged) -> InputSender {
        try flag() ? .principal(try principal()) : .ticket(label: try text())
    }

    mutating func tickets() throws(Damaged) -> TicketLedger {
        guard let generation = UInt32(exactly: try number()) else { throw Damaged() }
        var uses: [TicketLedger.Use] = []
        for _ in 0..<(try count()) {
            guard let nonce = Ticket.Nonce(try content()), let count = UInt16(exactly: try number()) else {
                throw Damaged()
            }
            uses.append(
                TicketLedger.Use(nonce: nonce, count: count, expires: UnixTime(milliseconds: try signedNumber())))
        }
        return TicketLedger(generation: generation, uses: uses)
    }
}

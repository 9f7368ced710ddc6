import Access
import HTTPModel
import JSONText

// What a requester sees.
extension SessionShard {
    /// Returns the outputs of a session that the requester sees; nil for all.
    // Takes the session, although its machine decides: a caller would retain the machine.
    func visibleOutputs(of session: Session, to requester: Requester) -> OutputFilter? {
        loop.assertCurrent()
        guard let views = session.machineKind.views else { return nil }
        return views.view(for: Viewer(requester), host.log).filter
    }

    /// Returns the outputs of a machine's sessions that the requester sees; nil for all.
    func visibleOutputs(of machine: RegisteredMachine, to requester: Requester) -> OutputFilter? {
        loop.assertCurrent()
        guard let views = machine.views else { return nil }
        return views.view(for: Viewer(requester), host.log).filter
    }

    /// Returns the description of a machine as the requester sees it.
    func description(of machine: RegisteredMachine, to requester: Requester) -> [UInt8] {
        loop.assertCurrent()
        guard let views = machine.views else { return machine.json }
        return views.view(for: Viewer(requester), host.log).json
    }

    /// Returns the list of all machines as the requester sees it.
    func listOfMachines(to requester: Requester) -> [UInt8] {
        guard host.catalogue.hasViews else { return host.catalogue.json }
        return MachineCatalogue.list(host.catalogue.machines.map { description(of: $0, to: requester) })
    }

    /// Appends a range of the text that the last turn wrote, which is a JSON object of outputs, limited to a filter.
    func appendChange(_ range: Range<Int>, passing filter: OutputFilter, to bytes: inout [UInt8]) {
        if !filter.append(range, of: turns.changeText, to: &bytes) { bytes.append("{}") }
    }
}

extension OutputFilter {
    /// The members of a session's description that tell what its machine is doing.
    private static let activity: Set<String> = ["inProgress", "dormant", "awake"]

    /// Returns a response of the host, an object with the member `outputs` or `changes`, as a viewer sees it.
    func limiting(_ response: [UInt8]) -> [UInt8] {
        var limited: [UInt8] = []
        limited.reserveCapacity(response.count)
        var scanner = JSONScanner(response, at: 0)
        // Cannot throw: the host wrote this object, or an import has checked it.
        try? scanner.members { key, value in
            guard let name = JSONValue(bytes: response, range: key).string, !OutputFilter.activity.contains(name) else {
                return
            }
            limited.append(UInt8(ascii: limited.isEmpty ? "{" : ","))
            limited.append(contentsOf: response[key])
            limited.append(UInt8(ascii: ":"))
            // A large change or large outputs were remembered as null.
            let isLimited = (name == "outputs" || name == "changes") && response[value.lowerBound] == UInt8(ascii: "{")
            if !isLimited {
                limited.append(contentsOf: response[value])
            } else if !append(value, of: response, to: &limited) {
                limited.append("{}")
            }
        }
        limited.append(limited.isEmpty ? "{}" : "}")
        return limited
    }
}

extension Session {
    /// Returns the position of a version on a stream with a filter.
    ///
    /// The positions of a view have an epoch of their own: a client whose view has changed gets a snapshot instead of the changes
    /// since its last one, because it has never received what it did not see.
    func position(_ version: UInt64, for filter: OutputFilter?) -> StreamPosition {
        StreamPosition(epoch: epoch(for: filter), version: version)
    }

    /// Returns the position of the current version as a viewer sees it.
    func position(for view: OutputFilter?) -> StreamPosition { position(version, for: view) }

    /// Returns the epoch of the positions on a stream with a filter.
    func epoch(for filter: OutputFilter?) -> Epoch {
        guard let filter else { return epoch }
        return epoch.moved(by: Epoch(bits: UInt64(filter.tag)))
    }
}

import CombineCore

extension Battery {
    /// Descriptions, mirrors and identities.
    public static let descriptions: [BatteryPoint] = [
        BatteryPoint("has a subscription that describes itself") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            let expected =
                bench.expectations.strictness == .transparent
                ? "Attachment" : bench.expectations.description ?? "?"
            bench.expect(
                "the description", "\(recorder.events.first?.description ?? "")", is: "subscription(\(expected))")
        },
        BatteryPoint("has a link that describes itself to upstream") { bench in
            guard let expected = bench.expectations.linkDescription ?? bench.expectations.description else {
                return bench.note("no description is expected")
            }
            let source = Bench.Source()
            _ = bench.record(source, .init(demand: .none))
            guard let link = source.latest?.subscriber else { return bench.note("upstream has no subscriber") }
            bench.expect("the description", link.description, is: expected)
            bench.expect("the playground description", "\(link.playgroundDescription)", is: expected)
        },
        BatteryPoint("has the expected playground description") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            guard bench.expectations.strictness != .transparent else { return }
            let shown = (recorder.subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
            bench.expect("the playground description", "\(shown ?? "none")", is: bench.expectations.description ?? "?")
        },
        BatteryPoint("has the expected mirror") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            guard let link = source.latest?.subscriber else { return bench.note("upstream has no subscriber") }
            let labels = link.customMirror.children.map(\.label)
            let expected = bench.expectations.linkMirror ?? bench.expectations.mirror ?? []
            bench.expect("the labels of the link", labels, is: expected)
            guard bench.expectations.strictness != .transparent, let subscription = recorder.subscription else {
                return
            }
            let own = (subscription as? any CustomReflectable)?.customMirror.children.map(\.label)
            bench.expect("the labels of the subscription", own ?? ["no mirror"], is: bench.expectations.mirror ?? [])
        },
        BatteryPoint("has a distinct identity for each subscriber") { bench in
            let first = Bench.Source()
            let second = Bench.Source()
            let one = bench.record(first, .init(demand: .none))
            let other = bench.record(second, .init(demand: .none))
            bench.expect(
                one.subscription?.combineIdentifier != other.subscription?.combineIdentifier,
                "two subscriptions have the same identity")
            bench.expect(
                first.latest?.subscriber?.combineIdentifier != second.latest?.subscriber?.combineIdentifier,
                "two links have the same identity")
        },
    ]
}

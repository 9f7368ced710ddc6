/// A timer's reference to its shard, which is valid as long as the shard exists. Confined to the shard's loop.
final class BackReference {
    // Not a weak reference to the shard: the first one moves an object's reference counts to a side table, which makes
    // each retain and release of the shard several times as expensive, and every request performs about a dozen of
    // each. The shard clears this reference in its `deinit`.
    unowned(unsafe) var shard: SessionShard?
}

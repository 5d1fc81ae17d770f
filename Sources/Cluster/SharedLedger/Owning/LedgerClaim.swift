import MessageBus
import NIOCore
package import OrderLedger

/// The result of comparing a process's ledger with the one registered on the bus.
///
/// The bus stores the last kept ledger, so that a process with another folder can't take over.
enum LedgerClaim: Equatable {
  /// They are the same: nothing to register.
  case registered
  /// None is registered, or the one to be replaced.
  case open
  /// Another ledger is registered.
  case foreign(LedgerIdentity)

  /// Compares the ledgers.
  ///
  /// - Parameters:
  ///   - own: nil if the process has no ledger yet.
  ///   - registered: nil if no ledger is registered.
  ///   - replaced: the ledger that the operator gives up for the process's own.
  init(own: LedgerIdentity?, registered: LedgerIdentity?, replaced: LedgerIdentity?) {
    guard let registered else {
      self = .open
      return
    }
    if registered == own {
      self = .registered
    } else {
      self = registered == replaced ? .open : .foreign(registered)
    }
  }
}

/// Why a process may neither keep its ledger nor stand by for it.
package struct LedgerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ledger registered on the bus.
  package let registered: LedgerIdentity
  /// The process's own ledger; nil if it has none.
  package let own: LedgerIdentity?
  /// Its path.
  package let path: String
  /// The latest registered event, if the own ledger lacks it; nil for another ledger.
  package var missing: UInt64?

  /// What happened and what to do.
  package var description: String {
    if let missing {
      return
        "\(path) is an older or changed copy of ledger \(registered): it lacks event \(missing). "
        + "Restore the latest copy. To go on with this one for good, start once with "
        + "--replace-ledger \(registered), then restart the servers"
    }
    let found = own.map { "\(path) is ledger \($0)" } ?? "\(path) is not that ledger"
    return "the servers on this bus follow ledger \(registered), but \(found). "
      + "Start with the data folder of ledger \(registered). To give that ledger up for good, "
      + "start once with --replace-ledger \(registered), then restart the servers"
  }
}

/// The bus's entry that names its ledger.
struct LedgerRegistry {
  struct Entry: Equatable {
    static let none = Entry(identity: nil, position: nil, revision: 0)

    /// nil if no ledger is registered.
    let identity: LedgerIdentity?
    /// An event of the ledger, at most some seconds older than its latest one.
    let position: LedgerPosition?
    let revision: UInt64
  }

  let bus: any MessageBus

  /// Fails with a ``MessageBus/BusError``, also for an unreadable entry.
  func load() -> EventLoopFuture<Entry> {
    bus.load(LedgerSubjects.registry).flatMapThrowing { value in
      guard let value, value.bytes.readableBytes > 0 else {
        return Entry(identity: nil, position: nil, revision: value?.revision ?? 0)
      }
      let words = String(buffer: value.bytes).split(separator: " ")
      guard words.count == 3, let identity = LedgerIdentity(words[0]),
        let sequence = UInt64(words[1]), let head = ChainHash(String(words[2]))
      else {
        throw BusError.refused("the entry \(LedgerSubjects.registry) names no ledger")
      }
      let position = LedgerPosition(sequence: sequence, head: head)
      return Entry(identity: identity, position: position, revision: value.revision)
    }
  }

  /// Registers a ledger and its latest event, replacing the entry last loaded or stored.
  func store(
    _ identity: LedgerIdentity, _ position: LedgerPosition, after entry: Entry
  ) -> EventLoopFuture<Entry> {
    let text = "\(identity) \(position.sequence) \(position.head)"
    return bus.store(
      LedgerSubjects.registry, ByteBuffer(string: text), expecting: entry.revision
    ).map { Entry(identity: identity, position: position, revision: $0) }
  }
}

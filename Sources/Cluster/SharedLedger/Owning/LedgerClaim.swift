// Whether a process may keep its ledger for the servers of a bus. The bus remembers the ledger that
// was kept last, so that a process with another folder can't take over after that one's death.

import MessageBus
import NIOCore
package import OrderLedger

/// A process's ledger compared with the one that is registered on the bus.
enum LedgerClaim: Equatable {
  /// The same: nothing is to be registered.
  case registered
  /// None is registered, or the one that is to be replaced.
  case open
  /// Another one.
  case foreign(LedgerIdentity)

  /// Compares.
  ///
  /// - Parameters:
  ///   - own: nil where the process has no ledger yet.
  ///   - registered: nil where no ledger was registered.
  ///   - replaced: the ledger that an operator gives up for the process's own.
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

/// Why a process neither keeps its ledger nor stands by for it.
package struct LedgerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ledger of the bus.
  package let registered: LedgerIdentity
  /// The process's own; nil where it has none.
  package let own: LedgerIdentity?
  /// Where that is.
  package let path: String
  /// The latest registered event, where the process's own ledger lacks it; nil for another ledger.
  package var missing: UInt64?

  /// What happened, then what to do.
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

/// The entry of the bus that names its ledger.
struct LedgerRegistry {
  /// What the entry holds.
  struct Entry: Equatable {
    static let none = Entry(identity: nil, position: nil, revision: 0)

    /// Nil where no ledger is registered.
    let identity: LedgerIdentity?
    /// An event that the ledger has, at most some seconds older than its latest one.
    let position: LedgerPosition?
    let revision: UInt64
  }

  let bus: any MessageBus

  /// Fails with a ``MessageBus/BusError``, also for an entry that can't be read.
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

  /// Registers a ledger and its latest event, in place of what was loaded or stored last.
  func store(
    _ identity: LedgerIdentity, _ position: LedgerPosition, after entry: Entry
  ) -> EventLoopFuture<Entry> {
    let text = "\(identity) \(position.sequence) \(position.head)"
    return bus.store(
      LedgerSubjects.registry, ByteBuffer(string: text), expecting: entry.revision
    ).map { Entry(identity: identity, position: position, revision: $0) }
  }
}

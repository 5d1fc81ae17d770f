// What processes of one installation say to each other, by subject. Whether there is a broker
// between them, or only memory, is the implementation's business.

public import NIOCore

/// Messages by subject, between processes or within one.
///
/// A subject is tokens with dots between them ("tape.kraken"): letters, digits, `-` and `_`. At
/// most once: what is published while the link is down is lost, and a subscriber that falls behind
/// may lose messages, so whoever needs all of them numbers them. Messages of one publisher on one
/// subject come in order.
///
/// Everything is called on ``eventLoop``, and every handler is called on it, never from within the
/// call that set it up.
public protocol MessageBus: Sendable {
  /// Where everything happens.
  var eventLoop: any EventLoop { get }

  /// The largest payload that can be sent, in bytes.
  var maximumPayloadBytes: Int { get }

  /// How long ago the latest bytes were read, in nanoseconds; 0 where nothing is read.
  var nanosecondsSinceRead: Int64 { get }

  /// Sends a message to whoever listens; lost where the link is down, or the payload too large.
  func publish(_ subject: String, _ payload: ByteBuffer)

  /// Listens to a subject; `*` stands for one token, `>` at the end for any number.
  ///
  /// Holds over losses of the link.
  ///
  /// - Returns: keep it as long as messages are wanted.
  func subscribe(
    _ subject: String, _ handler: @escaping (BusMessage) -> Void
  ) -> BusSubscription

  /// Asks whoever listens to a subject, and takes the first answer.
  ///
  /// Fails with a ``BusError``: ``BusError/noResponders`` at once where nobody listens,
  /// ``BusError/timeout`` after the time given, ``BusError/disconnected`` where the link is or goes
  /// down.
  func request(
    _ subject: String, _ payload: ByteBuffer, timeoutMilliseconds: Int64
  ) -> EventLoopFuture<ByteBuffer>

  /// Hears at once whether the link stands, and each change.
  ///
  /// - Returns: keep it as long as changes are wanted.
  func observeLink(_ handler: @escaping (BusLink) -> Void) -> BusSubscription

  /// Writes the value of a lease that expires by itself, if nobody has written it in between.
  ///
  /// Revisions of a bucket rise with each write, also over expiry, so that they serve as epochs.
  ///
  /// - Parameters:
  ///   - key: a subject below the bucket of leases: "reader.kraken".
  ///   - value: who holds it, for people to read.
  ///   - expecting: the revision of the last write; 0 where there must be none, or an expired one.
  /// - Returns: the new revision. Fails with ``BusError/wrongRevision`` where another one was
  ///   quicker, and as ``request(_:_:timeoutMilliseconds:)`` does.
  func hold(_ key: String, _ value: ByteBuffer, expecting: UInt64) -> EventLoopFuture<UInt64>

  /// Loads a value that lasts until it is stored again, over restarts of every process; nil where
  /// there never was one.
  ///
  /// Fails as ``request(_:_:timeoutMilliseconds:)`` does.
  func load(_ key: String) -> EventLoopFuture<BusValue?>

  /// Stores such a value, if it has not been stored in between.
  ///
  /// - Parameters:
  ///   - key: a subject below the bucket of values: "orders.ledger".
  ///   - value: at most a few kilobytes.
  ///   - expecting: the revision that was loaded; 0 where there was none.
  /// - Returns: the new revision. Fails as ``hold(_:_:expecting:)`` does.
  func store(_ key: String, _ value: ByteBuffer, expecting: UInt64) -> EventLoopFuture<UInt64>

  /// Ends everything; done when the link is gone. Handlers are not called any more.
  func shutdown() -> EventLoopFuture<Void>
}

/// How long a lease stands after its latest write, in milliseconds, by the clock of whoever keeps
/// them.
public let leaseMilliseconds: Int64 = 3000

/// A message that came.
public struct BusMessage: Sendable {
  /// What it was published to.
  public let subject: String
  /// What was published.
  public let payload: ByteBuffer
  /// Where the answer to a request goes; nil where none is wanted.
  public let replyTo: String?

  /// Puts a message together.
  public init(subject: String, payload: ByteBuffer, replyTo: String? = nil) {
    self.subject = subject
    self.payload = payload
    self.replyTo = replyTo
  }
}

/// A stored value.
public struct BusValue: Sendable, Equatable {
  /// Of the write that stored it.
  public let revision: UInt64
  /// Empty where it was deleted by other means.
  public let bytes: ByteBuffer

  /// Creates a value.
  public init(revision: UInt64, bytes: ByteBuffer) {
    (self.revision, self.bytes) = (revision, bytes)
  }
}

/// Whether messages travel.
public enum BusLink: Sendable, Equatable {
  case up
  /// Not, and why, in one line.
  case down(String)
}

/// Why a request came to nothing.
public enum BusError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Nobody listens to the subject.
  case noResponders
  /// No answer came in time.
  case timeout
  /// The link is down.
  case disconnected
  /// The payload is larger than can be sent.
  case tooLarge
  /// Another one has written in between.
  case wrongRevision
  /// The broker refuses, in its words.
  case refused(String)

  /// For people, in one line.
  public var description: String {
    switch self {
    case .noResponders: "nobody answers"
    case .timeout: "no answer in time"
    case .disconnected: "the bus is down"
    case .tooLarge: "too large for the bus"
    case .wrongRevision: "held by another"
    case .refused(let words): "the broker refuses: \(words)"
    }
  }
}

/// Something that is listened to until it is cancelled or let go.
public final class BusSubscription {
  private var end: (() -> Void)?

  /// `end` is called once, on the loop.
  public init(_ end: @escaping () -> Void) { self.end = end }

  deinit { end?() }

  /// Ends it; no handler is called afterwards.
  public func cancel() {
    end?()
    end = nil
  }
}

public import NIOCore

/// Messages by subject, between processes of an installation or within one.
///
/// A subject is tokens separated by dots ("tape.kraken"): letters, digits, `-` and `_`. Delivery is
/// at most once: messages published while the link is down are lost, and a slow subscriber may lose
/// messages, so a receiver that needs all of them relies on sequence numbers. Messages of one
/// publisher on one subject arrive in order.
///
/// All calls must be made on ``eventLoop``. Handlers are called on it, never from within the call
/// that registers them.
public protocol MessageBus: Sendable {
  /// The loop of all calls and handlers.
  var eventLoop: any EventLoop { get }

  /// The maximum payload in bytes.
  var maximumPayloadBytes: Int { get }

  /// Nanoseconds since the latest bytes were read; 0 if the bus reads no bytes.
  var nanosecondsSinceRead: Int64 { get }

  /// Sends a message to all subscribers; lost if the link is down or the payload is too large.
  func publish(_ subject: String, _ payload: ByteBuffer)

  /// Subscribes to a subject; `*` matches one token, `>` at the end any number.
  ///
  /// Continues across link losses.
  ///
  /// - Returns: keep it as long as messages are needed.
  func subscribe(_ subject: String, _ handler: @escaping (BusMessage) -> Void) -> BusSubscription

  /// Sends a request to a subject's subscribers; the first response counts.
  ///
  /// Fails with a ``BusError``: ``BusError/noResponders`` at once without a subscriber,
  /// ``BusError/timeout`` after the given time, ``BusError/disconnected`` if the link is or goes
  /// down.
  func request(
    _ subject: String, _ payload: ByteBuffer, timeoutMilliseconds: Int64
  ) -> EventLoopFuture<ByteBuffer>

  /// Observes the link's state: the current one at once, then each change.
  ///
  /// - Returns: keep it as long as changes are needed.
  func observeLink(_ handler: @escaping (BusLink) -> Void) -> BusSubscription

  /// Writes the value of an expiring lease, unless it was written in between.
  ///
  /// Revisions of a bucket rise with each write, also across expiry, so they serve as epochs.
  ///
  /// - Parameters:
  ///   - key: a subject below the bucket of leases: "reader.kraken".
  ///   - value: the holder, for the operator.
  ///   - expecting: the revision of the last write; 0 if there must be none, or an expired one.
  /// - Returns: the new revision. Fails with ``BusError/wrongRevision`` if another process was
  ///   first, and like ``request(_:_:timeoutMilliseconds:)``.
  func hold(_ key: String, _ value: ByteBuffer, expecting: UInt64) -> EventLoopFuture<UInt64>

  /// Loads a persistent value, which survives restarts of every process; nil if never written.
  ///
  /// Fails like ``request(_:_:timeoutMilliseconds:)``.
  func load(_ key: String) -> EventLoopFuture<BusValue?>

  /// Stores a persistent value, unless it was stored in between.
  ///
  /// - Parameters:
  ///   - key: a subject below the bucket of values: "orders.ledger".
  ///   - value: at most a few kilobytes.
  ///   - expecting: the loaded revision; 0 if there was none.
  /// - Returns: the new revision. Fails like ``hold(_:_:expecting:)``.
  func store(_ key: String, _ value: ByteBuffer, expecting: UInt64) -> EventLoopFuture<UInt64>

  /// Ends everything; completes when the link is closed. Handlers are not called any more.
  func shutdown() -> EventLoopFuture<Void>
}

/// How long a lease is valid after its latest write, in milliseconds, by the broker's clock.
public let leaseMilliseconds: Int64 = 3000

/// A received message.
public struct BusMessage: Sendable {
  /// The subject it was published to.
  public let subject: String
  /// The payload.
  public let payload: ByteBuffer
  /// The subject of the response to a request; nil if none is expected.
  public let replyTo: String?

  /// Creates a message.
  public init(subject: String, payload: ByteBuffer, replyTo: String? = nil) {
    self.subject = subject
    self.payload = payload
    self.replyTo = replyTo
  }
}

/// A stored value.
public struct BusValue: Sendable, Equatable {
  /// The revision of its write.
  public let revision: UInt64
  /// The content; empty if it was deleted by other means.
  public let bytes: ByteBuffer

  /// Creates a value.
  public init(revision: UInt64, bytes: ByteBuffer) {
    (self.revision, self.bytes) = (revision, bytes)
  }
}

/// The state of the link.
public enum BusLink: Sendable, Equatable {
  case up
  /// Down, with the reason in one line.
  case down(String)
}

/// Why a request failed.
public enum BusError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The subject has no subscribers.
  case noResponders
  case timeout
  case disconnected
  case tooLarge
  /// The value was written in between.
  case wrongRevision
  /// The broker refuses, with this reason.
  case refused(String)

  /// The reason in one line.
  public var description: String {
    switch self {
    case .noResponders: "no responders"
    case .timeout: "no answer in time"
    case .disconnected: "the bus is down"
    case .tooLarge: "too large for the bus"
    case .wrongRevision: "held by another"
    case .refused(let words): "the broker refuses: \(words)"
    }
  }
}

/// A subscription or observation, until it is cancelled or released.
public final class BusSubscription {
  private var end: (() -> Void)?

  /// Creates a subscription; `end` is called once, on the loop.
  public init(_ end: @escaping () -> Void) { self.end = end }

  deinit { end?() }

  /// Ends it; no handler is called afterwards.
  public func cancel() {
    end?()
    end = nil
  }
}

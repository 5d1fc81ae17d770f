import NIOCore

/// The rules for subjects and patterns, the same for every bus, so that code that works within one
/// process works between several.
enum BusSubject {
  /// The maximum bytes of a subject: with its reply it must fit a broker's control line of 4096.
  static let maximumBytes = 512

  /// Whether it can be published to: tokens of letters, digits, `-`, `_` and `$`.
  static func isPublishable(_ subject: String) -> Bool { isWellFormed(subject, isPattern: false) }

  /// Whether it can be subscribed to: also `*` for a token, and `>` for the last ones.
  static func isPattern(_ subject: String) -> Bool { isWellFormed(subject, isPattern: true) }

  /// Whether it matches more than one subject.
  static func hasWildcard(_ pattern: String) -> Bool {
    pattern.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ">") }
  }

  static func tokens(_ subject: String) -> [Substring] {
    subject.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Whether a pattern matches a subject; both in tokens.
  static func matches(_ pattern: [Substring], _ subject: [Substring]) -> Bool {
    for (index, token) in pattern.enumerated() {
      guard index < subject.count else { return false }
      if token == ">" { return true }
      guard token == "*" || token == subject[index] else { return false }
    }
    return pattern.count == subject.count
  }

  private static func isWellFormed(_ subject: String, isPattern: Bool) -> Bool {
    guard subject.utf8.count <= maximumBytes else { return false }
    var (length, hasStar, hasEnded) = (0, false, false)
    for byte in subject.utf8 {
      guard !hasEnded else { return false }
      switch byte {
      case UInt8(ascii: "."):
        guard length > 0 else { return false }
        (length, hasStar) = (0, false)
        continue
      case UInt8(ascii: "*") where isPattern && length == 0: hasStar = true
      case UInt8(ascii: ">") where isPattern && length == 0: hasEnded = true
      default: guard isPlain(byte), !hasStar else { return false }
      }
      length += 1
    }
    return length > 0
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "$"):
      true
    default: false
    }
  }
}

extension BusError {
  static func preventing(
    _ subject: String, _ payload: ByteBuffer, on bus: some MessageBus, isUp: Bool
  ) -> BusError? {
    guard BusSubject.isPublishable(subject) else { return .refused("not a subject") }
    guard payload.readableBytes <= bus.maximumPayloadBytes else { return .tooLarge }
    return isUp ? nil : .disconnected
  }
}

extension EventLoop {
  /// Runs a body at once on the loop, or schedules it from anywhere else; subscriptions can be
  /// cancelled on any thread.
  func assumeIsolatedOrLater(_ body: @escaping @Sendable () -> Void) {
    if inEventLoop { body() } else { execute(body) }
  }
}

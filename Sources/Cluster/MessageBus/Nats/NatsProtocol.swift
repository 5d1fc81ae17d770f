import NIOCore

/// One link to a broker, from its greeting to its end, as a pure state machine: bytes and beats in,
/// effects out.
struct NatsProtocol: Sendable {
  /// Milliseconds between two calls of ``beat()``.
  ///
  /// The link ends after two beats without bytes (1.4 to 2.1 s), or at the first beat with three
  /// unanswered pings (2.1 s).
  static let beatMilliseconds: Int64 = 700
  private static let patientBeats = 2
  /// Unanswered pings that end the link even while bytes arrive: those bytes were queued for 2.1 s
  /// or more, which nothing in them reveals.
  private static let patientPings = 3
  /// Beats that the handshake may take.
  private static let handshakeBeats = 8

  /// An action for the host, performed in order.
  enum Effect: Sendable, Equatable {
    case send(ByteBuffer)
    case startTLS
    case ready
    /// The broker's INFO; the first one precedes ``ready``.
    case info(NatsInfo)
    case message(NatsMessage)
    /// A log message; the link stays open.
    case notice(String)
    /// Close the socket; the last effect.
    case end(NatsError)
  }

  private enum Phase {
    case greeting
    case handshake
    case open
    case ended
  }

  private let name: String
  private let credentials: NatsAddress.Credentials
  private let insistsOnTLS: Bool
  private var phase = Phase.greeting
  private var parser = NatsParser()
  private var silentBeats = 0
  private var unansweredPings = 0

  init(name: String, address: NatsAddress) {
    self.name = name
    credentials = address.credentials
    insistsOnTLS = address.isSecure
  }

  mutating func received(_ bytes: ByteBuffer) -> [Effect] {
    guard phase != .ended else { return [] }
    if phase == .open { silentBeats = 0 }
    parser.append(bytes)
    var effects: [Effect] = []
    do throws(NatsError) {
      while phase != .ended, let operation = try parser.next() {
        try take(operation, &effects)
      }
    } catch {
      phase = .ended
      effects.append(.end(error))
    }
    return effects
  }

  /// Advances time by ``beatMilliseconds`` since the last beat, or since the socket was opened.
  mutating func beat() -> [Effect] {
    switch phase {
    case .ended: return []
    case .greeting, .handshake:
      silentBeats += 1
      return silentBeats < NatsProtocol.handshakeBeats ? [] : end(.notReady)
    case .open:
      guard silentBeats < NatsProtocol.patientBeats else { return end(.silent) }
      guard unansweredPings < NatsProtocol.patientPings else { return end(.behind) }
      silentBeats += 1
      unansweredPings += 1
      return [.send(NatsEncoder.ping)]
    }
  }

  private mutating func end(_ error: NatsError) -> [Effect] {
    phase = .ended
    return [.end(error)]
  }

  private mutating func take(
    _ operation: NatsOperation, _ effects: inout [Effect]
  ) throws(NatsError) {
    switch (operation, phase) {
    case (.info(let info), .greeting): try greet(info, &effects)
    case (.info(let info), _): effects.append(.info(info))
    case (.error(let words), _):
      guard phase == .open, NatsProtocol.isHarmless(words) else { throw .refused(words) }
      effects.append(.notice(words))
    case (_, .greeting): throw .unexpected("an operation")
    case (.ping, _): effects.append(.send(NatsEncoder.pong))
    case (.pong, .handshake):
      phase = .open
      silentBeats = 0
      effects.append(.ready)
    case (.message(let message), .open): effects.append(.message(message))
    case (.message, _): throw .unexpected("a message")
    case (.pong, _): unansweredPings = max(0, unansweredPings - 1)
    case (.ok, _): break
    }
  }

  private mutating func greet(_ info: NatsInfo, _ effects: inout [Effect]) throws(NatsError) {
    guard info.hasHeaders else { throw .tooOld }
    let isSecure = insistsOnTLS || info.requiresTLS
    if isSecure {
      guard info.requiresTLS || info.offersTLS else { throw .tlsUnavailable }
      // A man in the middle must not inject operations that appear to come through TLS.
      guard parser.isEmpty else { throw .clearTextBeforeTLS }
      effects.append(.startTLS)
    }
    phase = .handshake
    effects.append(.info(info))
    effects.append(
      .send(NatsEncoder.connect(name: name, credentials: credentials, isSecure: isSecure)))
  }

  /// Errors after which the broker leaves the link open.
  private static func isHarmless(_ words: String) -> Bool {
    let start = words.lowercased()
    return start.hasPrefix("permissions violation") || start.hasPrefix("invalid subject")
  }
}

// Why a connection is not live, with the evidence for logs and the words for people.

public import MarketModel
public import SocketTransport
public import VenueProtocols

/// Why a connection ended or failed, with details for logs and text for the user.
public enum ConnectionProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case transport(TransportError)
  /// The venue closed the connection; 1006 without a close frame.
  case closed(code: UInt16, reason: String)
  /// Nothing arrived for this long, not even a response to the heartbeat.
  case silent(milliseconds: Int64)
  /// The venue's welcome message did not arrive in time.
  case notReady(milliseconds: Int64)
  /// The venue did not read what was sent.
  case congested(waitingMessages: Int)
  /// The venue sent something that makes the connection unusable.
  case venue(VenueProblem)
  /// Another process reads the venue, and has no data or can't be reached.
  case reader(ReaderProblem)

  /// For logs; never contains headers, a query or non-printable characters.
  public var description: String { ForeignText.clean(words) }

  private var words: String {
    switch self {
    case .transport(let error): error.description
    case .closed(1006, let reason):
      reason.isEmpty ? "the connection was cut" : "the connection was cut: \(reason)"
    case .closed(let code, let reason): "closed with \(code)\(reason.isEmpty ? "" : ": \(reason)")"
    case .silent(let milliseconds): "no sign of life for \(milliseconds) ms"
    case .notReady(let milliseconds): "no greeting within \(milliseconds) ms"
    case .congested(let messages): "\(messages) messages wait to be sent"
    case .venue(let problem): problem.description
    case .reader(let problem): problem.description
    }
  }

  /// Whether retrying can't help until the user changes something (a token).
  public var isRefusal: Bool {
    switch self {
    case .transport(.upgradeRefused(let refusal)): refusal.status == 401 || refusal.status == 403
    case .transport(.invalidHeader), .transport(.wrongScheme): true
    default: false
    }
  }

  /// Whether the venue rejects this location or address, or its reader's.
  ///
  /// With a token, 403 is about the token.
  public func rejectsLocation(sendsToken: Bool) -> Bool {
    switch self {
    case .transport(.upgradeRefused(let refusal)):
      refusal.status == 451 || refusal.status == 418 || refusal.status == 403 && !sendsToken
    case .reader(.rejected): true
    default: false
    }
  }

  /// Whether it is about this process's way to a reader, whose venue is not bothered by attempts.
  var isOfReader: Bool { if case .reader = self { true } else { false } }

  /// The venue's requested pause in milliseconds, at most an hour; 10 s for a rate limit without
  /// one.
  public var retryAfterMilliseconds: Int64? {
    switch self {
    case .transport(.upgradeRefused(let refusal)):
      milliseconds(refusal.retryAfterSeconds ?? (refusal.status == 429 ? 10 : nil))
    case .venue(let problem):
      if case .rateLimited(let seconds) = problem.kind { milliseconds(seconds ?? 10) } else { nil }
    default: nil
    }
  }

  private func milliseconds(_ seconds: Int?) -> Int64? {
    seconds.map { Int64(min(max($0, 0), 3600)) * 1000 }
  }
}

extension ConnectionProblem {
  /// What happened, in one or two sentences for the user; the screen adds the next attempt.
  ///
  /// An access token can only be the cause if it was sent.
  public func userMessage(venue: String, sendsToken: Bool = true) -> Sentence {
    message(venue, sendsToken).cleaned
  }

  private func message(_ venue: String, _ sendsToken: Bool) -> Sentence {
    switch self {
    case .transport(.upgradeRefused(let refusal)) where rejectsLocation(sendsToken: sendsToken):
      "\(venue) rejects this location or address (status \(refusal.status))."
    case .transport(.upgradeRefused(let refusal)) where !sendsToken && isRefusal:
      "\(venue) refuses the connection (status \(refusal.status))."
    case .transport(let error): ConnectionProblem.message(error, venue)
    case .closed(1001, _), .closed(1012, _): "\(venue) is restarting."
    case .closed(1006, _): "The connection to \(venue) was cut."
    case .closed(1008, _): "\(venue) closed the connection: a venue rule was violated."
    case .closed(let code, let reason):
      reason.isEmpty
        ? "\(venue) closed the connection (code \(code))."
        : "\(venue) closed the connection (code \(code): \(reason))."
    case .silent(let milliseconds):
      "\(venue) has been silent for \(max(1, milliseconds / 1000)) s. Reconnecting."
    case .notReady: "\(venue) connected but sent no welcome message."
    case .congested: "\(venue) takes no messages. Reconnecting."
    case .venue(let problem): problem.userMessage
    case .reader(let problem): problem.userMessage(venue)
    }
  }

  private static func message(_ error: TransportError, _ venue: String) -> Sentence {
    switch error {
    case .unknownHost(let host):
      "\(host) can't be found. Check the network or the address of \(venue)."
    case .refused: "\(venue) is not accepting connections."
    case .unreachable: "\(venue) can't be reached. Check the network."
    case .tls(_, .untrustedCertificate):
      "The certificate of \(venue) is not trusted, so nothing was sent."
    case .tls(_, .expiredCertificate):
      "The certificate of \(venue) has expired, so nothing was sent."
    case .tls(_, .wrongName):
      "The certificate of \(venue) belongs to another server, so nothing was sent."
    case .tls: "A secure connection to \(venue) could not be made."
    case .handshakeTimeout: "\(venue) did not respond in time."
    case .upgradeRefused(let refusal): refusalMessage(refusal.status, venue)
    case .abandoned: "The request to \(venue) was given up."
    case .closedDuringHandshake: "\(venue) closed the connection before it was ready."
    case .badResponse: "\(venue) sent an invalid response."
    case .responseTooLarge: "\(venue) sent a response that is too large."
    case .wrongScheme(let scheme): "The address of \(venue) can't start with \(scheme)://."
    case .invalidHeader:
      "The access token for \(venue) holds characters that can't be sent. Change it to connect."
    }
  }

  private static func refusalMessage(_ status: Int, _ venue: String) -> Sentence {
    switch status {
    case 401: "\(venue) does not accept the access token. Change it to connect."
    case 403: "\(venue) grants this access token no permission. Change it to connect."
    case 404: "\(venue) has no market data at this address."
    case 429: "\(venue) limits connections. Retrying shortly."
    case 502, 503, 504: "\(venue) is temporarily unavailable."
    case 300...399: "\(venue) has moved to another address."
    default: "\(venue) refused the connection (status \(status))."
    }
  }
}

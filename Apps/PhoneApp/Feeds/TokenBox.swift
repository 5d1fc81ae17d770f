// The token that requests send at this moment (PD9): held in memory, never printed; where it rests
// is the vault's affair.

import Foundation
public import VenueProtocols

/// The token in use, for whoever makes requests on any thread.
public final class TokenBox: Sendable {
  // Unchecked by the compiler: every access goes through the lock.
  private nonisolated(unsafe) var current: AccessToken?
  private let lock = NSLock()

  /// Starts with a token, or none.
  public init(_ text: String?) { current = text.flatMap { AccessToken($0) } }

  /// The token; nil when there is none, or none that could be sent.
  public var token: AccessToken? { lock.withLock { current } }

  /// Uses another token from now on.
  public func replace(_ text: String?) {
    let token = text.flatMap { AccessToken($0) }
    lock.withLock { current = token }
  }
}

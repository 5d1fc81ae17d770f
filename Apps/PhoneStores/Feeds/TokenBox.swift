import Foundation
public import VenueCatalogue

/// The access token in use (PD9), in memory and never printed, readable on any thread.
public final class TokenBox: Sendable {
  // Unchecked by the compiler: every access goes through the lock.
  private nonisolated(unsafe) var current: AccessToken?
  private let lock = NSLock()

  /// Starts with a token, or with none.
  public init(_ text: String?) { current = text.flatMap { AccessToken($0) } }

  /// The token; nil when it is absent or can't be sent.
  public var token: AccessToken? { lock.withLock { current } }

  /// Replaces the token; nil removes it.
  public func replace(_ text: String?) {
    let token = text.flatMap { AccessToken($0) }
    lock.withLock { current = token }
  }
}

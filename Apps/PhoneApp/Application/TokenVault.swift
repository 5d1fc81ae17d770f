// Where the access token rests (PD9): in the system's keychain, never in the source, in preferences
// or in a log.

import Foundation

#if canImport(Security)
  import Security
#endif

/// The token could not be kept or read.
public struct TokenVaultError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's own number for what went wrong.
  public let status: Int32

  /// For logs; holds no token.
  public var description: String { "the keychain answered \(status)" }
}

/// Keeps one token.
@MainActor public protocol TokenVault {
  /// The token; nil when none is kept or it can't be read.
  func read() -> String?
  /// Keeps another token in place of the one it had; nil forgets it.
  func write(_ token: String?) throws(TokenVaultError)
}

/// Keeps the token only as long as the app runs: for platforms without a keychain, and for tests.
@MainActor public final class MemoryTokenVault: TokenVault {
  private var token: String?

  /// Starts with a token, or none.
  public init(_ token: String? = nil) { self.token = token }

  /// The token.
  public func read() -> String? { token }

  /// Keeps another token; never fails.
  public func write(_ token: String?) throws(TokenVaultError) { self.token = token }
}

#if canImport(Security)
  /// Keeps the token in the keychain, readable while the device is unlocked and never backed up to
  /// another device.
  @MainActor public struct KeychainTokenVault: TokenVault {
    private let query: [CFString: Any]

    /// Uses an entry of the app's own.
    public init(service: String = "livetape.bux", account: String = "access-token") {
      query = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
      ]
    }

    /// The token; nil when there is none or it can't be read.
    public func read() -> String? {
      var query = query
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
        let data = found as? Data
      else { return nil }
      return String(data: data, encoding: .utf8)
    }

    /// Keeps another token; the old one is gone even when this fails.
    public func write(_ token: String?) throws(TokenVaultError) {
      let deleted = SecItemDelete(query as CFDictionary)
      guard deleted == errSecSuccess || deleted == errSecItemNotFound else {
        throw TokenVaultError(status: deleted)
      }
      guard let token else { return }
      var item = query
      item[kSecValueData] = Data(token.utf8)
      item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      let added = SecItemAdd(item as CFDictionary, nil)
      guard added == errSecSuccess else { throw TokenVaultError(status: added) }
    }
  }
#endif

import Foundation

#if canImport(Security)
  import Security
#endif

/// The keychain failed to store or read the token.
public struct TokenVaultError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error code (`OSStatus`).
  public let status: Int32

  /// For logs; contains no token.
  public var description: String { "the keychain answered \(status)" }
}

/// Stores one token (PD9), never in the source, in preferences or in a log.
@MainActor public protocol TokenVault {
  /// The token; nil when none is stored or it can't be read.
  func read() -> String?
  /// Replaces the stored token; nil removes it.
  func write(_ token: String?) throws(TokenVaultError)
}

/// Keeps the token only while the app runs: for platforms without a keychain, and for tests.
@MainActor public final class MemoryTokenVault: TokenVault {
  private var token: String?

  /// Starts with a token, or with none.
  public init(_ token: String? = nil) { self.token = token }

  /// The token.
  public func read() -> String? { token }

  /// Replaces the token; never fails.
  public func write(_ token: String?) throws(TokenVaultError) { self.token = token }
}

#if canImport(Security)
  /// Stores the token in the keychain, readable while the device is unlocked and never backed up to
  /// another device.
  @MainActor public struct KeychainTokenVault: TokenVault {
    private let query: [CFString: Any]

    /// Uses the app's own keychain entry.
    public init(service: String = "livetape.bux", account: String = "access-token") {
      query = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
      ]
    }

    /// The token; nil when none is stored or it can't be read.
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

    /// Replaces the token; the old one is removed even when this fails.
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

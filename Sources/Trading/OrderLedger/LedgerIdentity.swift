import Foundation
import GRDB

/// 128 random bits, created and stored with a ledger; its copies share them.
///
/// Ledgers of the same scales begin with the same text, so before the first event only the identity
/// distinguishes their chains.
public struct LedgerIdentity: Hashable, Sendable, CustomStringConvertible {
  /// 32 lowercase hexadecimal digits.
  public let description: String

  /// Reads 32 lowercase hexadecimal digits; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let areDigits = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      default: false
      }
    }
    guard areDigits, text.utf8.count == 32 else { return nil }
    description = String(text)
  }

  init(from random: inout some RandomNumberGenerator) {
    let digits = (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    description = digits.joined()
  }

  /// Reads the identity of the ledger at a path, also while another process writes it.
  ///
  /// - Returns: nil if there is no ledger, or if it has not been opened for writing since
  ///   identities were introduced.
  /// - Throws: a ``LedgerError``.
  public static func stored(at path: String) throws(LedgerError) -> LedgerIdentity? {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
    guard let size, size > 0 else { return nil }
    return try LedgerError.translating(path: path) {
      var configuration = Configuration()
      configuration.readonly = true
      let database = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? database.close() }
      return try database.read { try stored(in: $0) }
    }
  }

  static func stored(in database: Database) throws -> LedgerIdentity? {
    guard try database.tableExists("identity") else { return nil }
    return try String.fetchOne(database, sql: "SELECT value FROM identity")
      .flatMap { LedgerIdentity($0) }
  }
}

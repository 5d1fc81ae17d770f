// The folder that holds a person's data, and the names that damaged files get in it.

import Foundation
public import MarketModel

/// Rules that all files of a data folder share.
public enum PrivateFolder {
  /// Makes the folder, and those above it, if need be, for nobody but its owner; one that is there
  /// is left as it is.
  public static func make(_ path: String) throws(DataFileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch { throw .notWritable("the folder \(path) cannot be made") }
  }

  /// Where to move a damaged file: "PATH.damaged-2026-11-21T04-38-00-000Z", with "-2" to "-99"
  /// where that is taken; nil when all are.
  public static func nameAside(of path: String, at time: Timestamp) -> String? {
    let stamp = String(time.description.map { $0 == ":" || $0 == "." ? "-" : $0 })
    let base = "\(path).damaged-\(stamp)"
    let names = [base] + (2...99).map { "\(base)-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: $0) }
  }
}

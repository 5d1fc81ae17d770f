import Foundation
public import MarketModel

/// The user's data folder, and the names of damaged files in it.
public enum PrivateFolder {
  /// Creates the folder and its parents if missing, for their owner only.
  public static func make(_ path: String) throws(DataFileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch { throw .notWritable("the folder \(path) cannot be made") }
  }

  /// A free name for a damaged file, such as "PATH.damaged-2026-11-21T04-38-00-000Z".
  ///
  /// Ends in "-2" to "-99" if that is taken; nil if all are.
  public static func nameAside(of path: String, at time: Timestamp) -> String? {
    let stamp = String(time.description.map { $0 == ":" || $0 == "." ? "-" : $0 })
    let base = "\(path).damaged-\(stamp)"
    let names = [base] + (2...99).map { "\(base)-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: $0) }
  }
}

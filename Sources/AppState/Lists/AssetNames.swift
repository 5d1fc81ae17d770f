// Names for people of what is traded: venues know codes only.

/// Names of currencies, coins and tokenised shares by their codes.
public enum AssetNames {
  /// The name of what a code stands for: "Cardano" for "ADA", "Apple" for "AAPLx".
  ///
  /// The code itself where no name is known.
  public static func name(_ code: String) -> String { table[code] ?? code }

  /// The code of a tokenised share in its own spelling, however it was typed: "AAPLx" for "aaplx".
  ///
  /// Nil where no such share is known.
  public static func token(_ text: String) -> String? {
    text.utf8.count <= longestCode ? tokens[text.uppercased()] : nil
  }

  private static let longestCode = 16

  private static let table = Dictionary(
    [currencies, coins, shares].flatMap(rows), uniquingKeysWith: { first, _ in first })

  private static let tokens = Dictionary(
    rows(shares).map { ($0.0.uppercased(), $0.0) }, uniquingKeysWith: { first, _ in first })

  private static func rows(_ text: String) -> [(String, String)] {
    text.split { $0 == ";" || $0 == "\n" }.compactMap { row in
      let parts = row.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}

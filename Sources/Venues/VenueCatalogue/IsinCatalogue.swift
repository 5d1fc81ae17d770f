public import MarketModel

/// A share of the watch list.
public struct ListedShare: Hashable, Sendable {
  /// Its International Securities Identification Number (ISO 6166): "US0378331005".
  public let isin: Symbol
  /// The company's short name: "Apple".
  public let name: String
}

/// The shares of the watch list (WL2) with their names, because the price stream has only ISINs.
public enum IsinCatalogue {
  /// ISO 4217 code of all prices: the stream states none, and its makers quote in euro.
  public static let currency = "EUR"
  /// Displayed decimals; the stream itself sends up to 15.
  public static let decimals = Scale(clamping: 2)

  /// All shares, in the order of the list.
  public static let shares: [ListedShare] = rows.map { row in
    ListedShare(isin: Symbol(known: row.0), name: row.1)
  }

  /// The share with this ISIN; nil when it is not in the list.
  public static func share(_ isin: Symbol) -> ListedShare? { byIsin[isin] }

  private static let byIsin = Dictionary(
    shares.map { ($0.isin, $0) }, uniquingKeysWith: { first, _ in first })

  private static let rows: [(StaticString, String)] = [
    ("US0378331005", "Apple"),
    ("US5949181045", "Microsoft"),
    ("US0231351067", "Amazon"),
    ("US02079K3059", "Alphabet"),
    ("US30303M1027", "Meta Platforms"),
    ("US67066G1040", "NVIDIA"),
    ("US88160R1014", "Tesla"),
    ("US64110L1061", "Netflix"),
    ("US2546871060", "Disney"),
    ("US1912161007", "Coca-Cola"),
    ("US5801351017", "McDonald's"),
    ("US4781601046", "Johnson & Johnson"),
    ("US46625H1005", "JPMorgan Chase"),
    ("US92826C8394", "Visa"),
    ("US4592001014", "IBM"),
    ("DE0007164600", "SAP"),
    ("DE0007236101", "Siemens"),
    ("DE0008404005", "Allianz"),
    ("DE000BASF111", "BASF"),
    ("DE0005140008", "Deutsche Bank"),
    ("DE0005557508", "Deutsche Telekom"),
    ("DE000A1EWWW0", "adidas"),
    ("FR0000121014", "LVMH"),
    ("FR0000120271", "TotalEnergies"),
    ("FR0000131104", "BNP Paribas"),
    ("NL0010273215", "ASML"),
    ("CH0038863350", "Nestlé"),
    ("GB0005405286", "HSBC"),
  ]
}

/// The check digit of ISO 6166.
public enum Isin {
  /// Whether a text is a well-formed ISIN: two letters, nine letters or digits, and the check digit
  /// of the Luhn algorithm (letters count as 10 to 35).
  public static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 12, bytes.prefix(2).allSatisfy(isLetter), isDigit(bytes[11]) else {
      return false
    }
    var digits: [UInt8] = []
    for byte in bytes {
      if isDigit(byte) {
        digits.append(byte - UInt8(ascii: "0"))
      } else if isLetter(byte) {
        let value = byte - UInt8(ascii: "A") + 10
        digits += [value / 10, value % 10]
      } else {
        return false
      }
    }
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let value = Int(digit) * (place % 2 == 1 ? 2 : 1)
      sum += value / 10 + value % 10
    }
    return sum % 10 == 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
}

// What viewers may use of the bounds that they share with the access token.

/// The share of a common bound that all viewers together may take.
enum ViewerShare {
  /// Three quarters: the rest is reserved for the access token, so that viewers can't keep it out.
  static func of(_ bound: Int) -> Int { bound - max(1, bound / 4) }
}

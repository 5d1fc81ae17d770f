/// A mistake that a test plants in the simulated world, one for each rule: a rule that never fails
/// proves nothing.
public enum PlantedMistake: String, Sendable, CaseIterable {
  /// A page shows a book as live whatever the server's freshness.
  case pageIgnoresFreshness
  /// A row changes on its way to a page.
  case pageGetsOtherRows
  /// One message in forty never reaches its page.
  case pageLosesMessages
  /// The hub assumes that venues allow more attempts than they do.
  case hubIsHasty
  /// Every subscription request is sent twice.
  case asksTwice
  /// The server never learns that a page's socket is full.
  case socketNeverFull
  /// The disk loses one event in ten without an error.
  case diskForgets
  /// The truth strip counts the time without a connection as proven.
  case stripFlatters
  /// The network stays broken.
  case neverHeals
}

// Mistakes that tests plant, one for each rule: a rule that can't be seen to fail says nothing.

/// A mistake in the simulated world or in how it uses the product.
public enum PlantedMistake: String, Sendable, CaseIterable {
  /// A page calls a book live whatever the server says.
  case pageIgnoresFreshness
  /// A row changes on its way to a page.
  case pageGetsOtherRows
  /// One message in forty never reaches its page.
  case pageLosesMessages
  /// The hub believes that venues allow more attempts than they do.
  case hubIsHasty
  /// Every request for streams goes out as two.
  case asksTwice
  /// The server is never told that a page's socket is full.
  case socketNeverFull
  /// The disk loses one event in ten without a word.
  case diskForgets
  /// The truth strip calls the time without a connection proven.
  case stripFlatters
  /// The network stays as broken as it was.
  case neverHeals
}

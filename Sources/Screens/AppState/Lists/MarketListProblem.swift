public import MarketModel

/// Why a change of a list was rejected.
public enum MarketListProblem: Error, Hashable, Sendable {
  case noSuchList
  /// More than ``MarketLists/maximumLists``.
  case tooManyLists
  /// More than ``MarketLists/maximumMembers``.
  case tooManyMembers
  /// The instrument to insert before is not a member.
  case noSuchPlace
  case badName
  case nameTaken
  case starsStay

  /// The problem as a sentence.
  public var sentence: Sentence {
    switch self {
    case .noSuchList: "This list does not exist any more."
    case .tooManyLists: "There can be \(MarketLists.maximumLists) lists. Delete one first."
    case .tooManyMembers:
      "A list can have \(MarketLists.maximumMembers) markets. Take one out first."
    case .noSuchPlace: "The market to put this one before is not in the list any more."
    case .badName:
      "A list's name has 1 to \(MarketLists.maximumNameLength) characters on one line."
    case .nameTaken: "Another list has this name."
    case .starsStay: "The list of stars can be neither renamed nor deleted."
    }
  }
}

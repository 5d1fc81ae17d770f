// Why a change of a person's lists can't be made, in words for people.

/// Why a list stays as it is.
public enum MarketListProblem: Error, Hashable, Sendable {
  /// It has been deleted, or never was.
  case noSuchList
  /// ``MarketLists/maximumLists``.
  case tooManyLists
  /// ``MarketLists/maximumMembers``.
  case tooManyMembers
  /// The instrument that another should stand before is no member.
  case noSuchPlace
  /// The name is empty or too long, or holds what can't be written.
  case badName
  /// Another list has this name.
  case nameTaken
  /// The stars can be neither renamed nor deleted.
  case starsStay

  /// One clear sentence.
  public var sentence: String {
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

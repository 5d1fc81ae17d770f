// What a list holds, as a value.

/// The sections and items of a list.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  private(set) var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  private(set) var reconfigured: Set<ItemIdentifierType> = []
  private(set) var reloaded: Set<ItemIdentifierType> = []

  /// Holds nothing.
  public init() {}

  /// How many items.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
  /// How many sections.
  public var numberOfSections: Int { sections.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  /// The items, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }
  /// The items that are to be configured anew.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] {
    itemIdentifiers.filter(reconfigured.contains)
  }

  /// The items of a section.
  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] { sections.first { $0.id == identifier }?.items ?? [] }

  /// Adds sections; to add one twice is a programmer's error.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers {
      precondition(!sectionIdentifiers.contains(identifier), "a section is there already")
      sections.append((identifier, []))
    }
  }

  /// Adds items to a section, or to the last; to add one twice is a programmer's error.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let place = sectionIdentifier.map { id in sections.firstIndex { $0.id == id } }
    guard let index = place ?? sections.indices.last else {
      preconditionFailure("there is no such section")
    }
    let known = Set(itemIdentifiers)
    precondition(
      known.isDisjoint(with: identifiers) && Set(identifiers).count == identifiers.count,
      "an item is there already")
    sections[index].items += identifiers
  }

  /// Takes items away.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    for index in sections.indices { sections[index].items.removeAll(where: identifiers.contains) }
  }

  /// Items' cells are to be configured anew, in place; to name one that is not there is a
  /// programmer's error.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(itemIdentifiers).isSuperset(of: identifiers), "there is no such item")
    reconfigured.formUnion(identifiers)
  }

  /// Items' cells are to be replaced.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(itemIdentifiers).isSuperset(of: identifiers), "there is no such item")
    reloaded.formUnion(identifiers)
  }

  mutating func forgetChanges() {
    reconfigured = []
    reloaded = []
  }
}

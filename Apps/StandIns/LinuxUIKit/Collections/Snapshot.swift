/// The sections and items of a list.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  private(set) var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  private(set) var reconfigured: Set<ItemIdentifierType> = []
  private(set) var reloaded: Set<ItemIdentifierType> = []

  /// An empty snapshot.
  public init() {}

  /// The number of items.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
  /// The number of sections.
  public var numberOfSections: Int { sections.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  /// The items, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }
  /// The items to reconfigure.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] {
    itemIdentifiers.filter(reconfigured.contains)
  }

  /// The items of a section.
  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] { sections.first { $0.id == identifier }?.items ?? [] }

  /// Appends sections; traps on a duplicate.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers {
      precondition(!sectionIdentifiers.contains(identifier), "a section is there already")
      sections.append((identifier, []))
    }
  }

  /// Appends items to a section, by default the last; traps on a duplicate.
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

  /// Deletes items.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    for index in sections.indices { sections[index].items.removeAll(where: identifiers.contains) }
  }

  /// Reconfigures items' cells in place; traps on an unknown item.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(itemIdentifiers).isSuperset(of: identifiers), "there is no such item")
    reconfigured.formUnion(identifiers)
  }

  /// Replaces items' cells.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(itemIdentifiers).isSuperset(of: identifiers), "there is no such item")
    reloaded.formUnion(identifiers)
  }

  mutating func forgetChanges() {
    reconfigured = []
    reloaded = []
  }
}

// Must not compile: items are told apart by their hash.

import UIKit

struct Row: Sendable {}

func snapshotOfUnhashable() {
  _ = NSDiffableDataSourceSnapshot<Int, Row>()  // error: protocol 'Hashable'
}

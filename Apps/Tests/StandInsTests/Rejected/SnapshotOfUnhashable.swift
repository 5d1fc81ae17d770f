// Must not compile: items must be hashable.

import UIKit

struct Row: Sendable {}

func snapshotOfUnhashable() {
  _ = NSDiffableDataSourceSnapshot<Int, Row>()  // error: protocol 'Hashable'
}

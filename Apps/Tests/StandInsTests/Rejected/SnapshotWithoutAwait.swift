// Must not compile: in an async function, a list is changed by the overload that waits.

import UIKit

@MainActor func snapshotWithoutAwait(
  _ source: UICollectionViewDiffableDataSource<Int, Int>
) async {
  source.apply(source.snapshot())  // error: is not marked with 'await'
}

// Must not compile: in an async function the awaiting overload applies a snapshot.

import UIKit

@MainActor func snapshotWithoutAwait(
  _ source: UICollectionViewDiffableDataSource<Int, Int>
) async {
  source.apply(source.snapshot())  // error: is not marked with 'await'
}

// Must not compile: a list's appearance has no raw number.

import UIKit

typealias Look = UICollectionLayoutListConfiguration.Appearance

func lookOfNumber() -> Look? { Look(rawValue: 0) }  // error: no accessible initializers

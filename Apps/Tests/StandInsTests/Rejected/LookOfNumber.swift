// Must not compile: a list's look has no number.

import UIKit

typealias Look = UICollectionLayoutListConfiguration.Appearance

func lookOfNumber() -> Look? { Look(rawValue: 0) }  // error: no accessible initializers

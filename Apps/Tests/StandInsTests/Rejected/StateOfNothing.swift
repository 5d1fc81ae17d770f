// Must not compile: a cell's state is created with traits.

import UIKit

struct StateOfNothing: UIConfigurationState {}  // error: does not conform to protocol

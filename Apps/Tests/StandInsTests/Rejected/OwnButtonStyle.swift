// Must not compile: a style needs a drawing method.

import SwiftUI

struct Own: PrimitiveButtonStyle {}  // error: does not conform to protocol 'PrimitiveButtonStyle'

// Must not compile: a style has to say how it draws.

import SwiftUI

struct Own: PrimitiveButtonStyle {}  // error: does not conform to protocol 'PrimitiveButtonStyle'

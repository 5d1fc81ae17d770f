// Must not compile: a view has a body.

import SwiftUI

struct MissingBody: View {}  // error: does not conform to protocol 'View'

// All of this target is inline; a package's C target needs a file to compile.
#include "CWireJSON.h"

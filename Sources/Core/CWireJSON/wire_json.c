// A package's C target needs a source file; all functions are inline in the header.
#include "CWireJSON.h"

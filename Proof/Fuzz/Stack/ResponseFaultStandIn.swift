// The type of HTTP faults that lists of faults name, so that they build without the simulated
// venues.

/// Never created here.
public enum ResponseFault: Sendable, Hashable { case standIn }

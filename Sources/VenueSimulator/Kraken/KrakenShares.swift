// The tokenised shares of the simulated Kraken: the real venue's tickers, each with about what it
// costs.

/// Tokens that stand for shares and funds.
enum KrakenShares {
  /// "TICKER DOLLARS".
  static let table = """
    AAPLx 189.2, TSLAx 341.2, NVDAx 176.41, SPYx 641.3, QQQx 571.4, MSTRx 351.7, COINx 312.4,
    HOODx 108.2, CRCLx 142.6, GOOGLx 203.1, METAx 751.2, AMZNx 224.3, MSFTx 512.7, NFLXx 1214.5,
    PLTRx 171.3, GMEx 23.12, AVGOx 301.4, AMBRx 11.82, DFDVx 14.73, TQQQx 91.24, GLDx 312.6,
    INTCx 24.31, ORCLx 243.1, CRMx 241.8, JPMx 291.3, BACx 47.62, GSx 731.4, Vx 338.2, MAx 578.3,
    BRK.Bx 481.2, WMTx 101.3, KOx 70.41, PEPx 148.2, MCDx 291.4, HDx 401.2, PGx 157.3, JNJx 174.2,
    PFEx 24.81, LLYx 701.6, MRKx 84.12, ABBVx 208.4, ABTx 131.2, UNHx 302.7, TMOx 478.1,
    DHRx 204.3, AZNx 78.91, NVOx 53.12, MDTx 91.83, XOMx 108.4, CVXx 156.2, LINx 471.3,
    HONx 218.4, IBMx 241.7, CSCOx 68.23, ACNx 251.2, APPx 441.3, CRWDx 421.6, PANWx 178.3,
    MRVLx 74.12, PMx 168.4, CMCSAx 33.61, VTIx 316.2, TBLLx 105.6, OPENx 3.412, SLVx 38.41
    """

  /// Shares that other venues show, by ticker: their tokens follow the same value.
  static let isins = ["AAPLx": SharedStock.apple, "MCDx": "US5801351017"]
}

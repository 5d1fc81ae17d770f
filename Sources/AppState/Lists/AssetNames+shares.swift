// The names behind tokens that stand for shares and funds. A token has its share's ticker and a
// small x.

extension AssetNames {
  /// "CODE=Name;", as many as there are.
  static let shares = """
    AAPLx=Apple;ABBVx=AbbVie;ABTx=Abbott;ACNx=Accenture;AMBRx=Amber;AMDx=AMD;AMZNx=Amazon;
    APPx=AppLovin;AVGOx=Broadcom;AZNx=AstraZeneca;BACx=Bank of America;BMNRx=BitMine Immersion;
    BRK.Bx=Berkshire Hathaway;COINx=Coinbase;CMCSAx=Comcast;COPXx=Copper Miners ETF;
    CRCLx=Circle;CRMx=Salesforce;CRWDx=CrowdStrike;CSCOx=Cisco;CVXx=Chevron;
    DFDVx=DeFi Development;DHRx=Danaher;GLDx=Gold;GMEx=GameStop;GOOGLx=Alphabet;
    GSx=Goldman Sachs;HDx=Home Depot;HONx=Honeywell;HOODx=Robinhood;IBMx=IBM;
    IEMGx=Emerging Markets ETF;IJRx=S&P Small-Cap ETF;INTCx=Intel;IWMx=Russell 2000 ETF;
    JNJx=Johnson & Johnson;JPMx=JPMorgan Chase;KOx=Coca-Cola;KRAQx=KRAKacquisition;LINx=Linde;
    LLYx=Eli Lilly;MAx=Mastercard;MCDx=McDonald's;MDTx=Medtronic;METAx=Meta Platforms;
    MRKx=Merck;MRVLx=Marvell;MSFTx=Microsoft;MSTRx=Strategy;NFLXx=Netflix;NVDAx=NVIDIA;
    NVOx=Novo Nordisk;OPENx=Opendoor;ORCLx=Oracle;PALLx=Palladium;PEPx=PepsiCo;PFEx=Pfizer;
    PGx=Procter & Gamble;PLTRx=Palantir;PMx=Philip Morris;PPLTx=Platinum;PYPLx=PayPal;
    QQQx=Nasdaq 100 ETF;SCHFx=International Equity ETF;SHOPx=Shopify;SLVx=Silver;
    SPYx=S&P 500 ETF;STRCx=Strategy Preferred Stretch;TBLLx=Treasury Bills ETF;
    TMOx=Thermo Fisher;TMUSx=T-Mobile US;TONXx=TON Strategy;TQQQx=Nasdaq 100 Triple ETF;
    TSLAx=Tesla;TSMx=TSMC;UNHx=UnitedHealth;VTx=World Stock ETF;VTIx=US Stock Market ETF;
    Vx=Visa;WMTx=Walmart;XOMx=Exxon Mobil;
    """
}

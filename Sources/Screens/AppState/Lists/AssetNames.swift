import MarketModel

/// Display names of currencies, coins and tokenised shares by code; venues have only codes.
public enum AssetNames {
  /// The display name of a code: "Cardano" for "ADA"; unknown codes are unchanged.
  public static func name(_ code: String) -> String { table[code] ?? code }

  /// Decimals to show for amounts: 2 of a state's currency or a dollar token, 8 of others.
  static func decimals(of code: String) -> Scale {
    Scale(clamping: code.hasPrefix("USD") || states.contains(code) ? 2 : 8)
  }

  private static let states = Set(rows(currencies).map(\.0))

  /// The spelling of a tokenised share, in any case: "AAPLx" for "aaplx"; nil if unknown.
  public static func token(_ text: String) -> String? {
    text.utf8.count <= longestCode ? tokens[text.uppercased()] : nil
  }

  private static let longestCode = 16

  private static let table = Dictionary(
    [currencies, coins, shares].flatMap(rows), uniquingKeysWith: { first, _ in first })

  private static let tokens = Dictionary(
    rows(shares).map { ($0.0.uppercased(), $0.0) }, uniquingKeysWith: { first, _ in first })

  private static func rows(_ text: String) -> [(String, String)] {
    text.split { $0 == ";" || $0 == "\n" }.compactMap { row in
      let parts = row.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}

// MARK: - Coins

extension AssetNames {
  /// Format "CODE=Name;".
  static let currencies = """
    AED=UAE dirham;ARS=Argentine peso;AUD=Australian dollar;BRL=Brazilian real;
    CAD=Canadian dollar;CHF=Swiss franc;CNY=Chinese yuan;CZK=Czech koruna;DKK=Danish krone;
    EUR=Euro;GBP=Pound sterling;HKD=Hong Kong dollar;INR=Indian rupee;JPY=Japanese yen;
    KRW=South Korean won;MXN=Mexican peso;NOK=Norwegian krone;NZD=New Zealand dollar;
    PLN=Polish zloty;SEK=Swedish krona;SGD=Singapore dollar;THB=Thai baht;TRY=Turkish lira;
    USD=US dollar;ZAR=South African rand;
    """

  static let coins = """
    AAVE=Aave;ACA=Acala;ACH=Alchemy Pay;ACX=Across;ADA=Cardano;ADX=Ambire AdEx;AERO=Aerodrome;
    AEVO=Aevo;AGLD=Adventure Gold;AI16Z=ai16z;AIR=Altair;AIXBT=aixbt;AKT=Akash;
    ALCH=Alchemist AI;ALCX=Alchemix;ALGO=Algorand;ALICE=My Neighbor Alice;ALPHA=Stella;
    ALT=AltLayer;ANKR=Ankr;ANLOG=Analog;ANON=HeyAnon;APE=ApeCoin;API3=API3;APT=Aptos;
    APU=Apu Apustaja;AR=Arweave;ARB=Arbitrum;ARC=AI Rig Complex;ARKM=Arkham;ARPA=ARPA;
    ASTER=Aster;ASTR=Astar;ATH=Aethir;ATLAS=Star Atlas;ATOM=Cosmos;AUCTION=Bounce;AUDIO=Audius;
    AUSD=Agora Dollar;AVAAI=Ava AI;AVAX=Avalanche;AVNT=Avantis;AXS=Axie Infinity;B3=B3;
    BABY=Babylon;BADGER=Badger DAO;BAL=Balancer;BAND=Band;BAT=Basic Attention Token;
    BCH=Bitcoin Cash;BEAM=Beam;BERA=Berachain;BICO=Biconomy;BIGTIME=Big Time;BIO=BIO Protocol;
    BIT=BitDAO;BLUR=Blur;BLZ=Bluzelle;BMT=Bubblemaps;BNB=BNB;BNC=Bifrost;BNT=Bancor;
    BOBA=Boba Network;BODEN=Jeo Boden;BOND=BarnBridge;BONK=Bonk;BRICK=r/FortNiteBR Bricks;
    BSX=Basilisk;BTC=Bitcoin;BTT=BitTorrent;C98=Coin98;CAKE=PancakeSwap;CCD=Concordium;
    CELR=Celer;CELO=Celo;CFG=Centrifuge;CHEX=Chintai;CHR=Chromia;CHZ=Chiliz;CLOUD=Cloud;
    CLV=Clover;CMETH=Mantle Restaked Ether;COMP=Compound;CORN=Corn;COTI=COTI;COW=CoW Protocol;
    CPOOL=Clearpool;CQT=Covalent;CRO=Cronos;CRV=Curve;CSM=Crust Shadow;CTSI=Cartesi;CVC=Civic;
    CVX=Convex;CXT=Covalent X;CYBER=Cyber;DAI=Dai;DASH=Dash;DBR=deBridge;DEEP=DeepBook;
    DENT=Dent;DMC=DeLorean;DOGE=Dogecoin;DOGS=Dogs;DOLO=Dolomite;DOT=Polkadot;DRIFT=Drift;
    DRV=Derive;DUCK=DuckChain;DYDX=dYdX;DYM=Dymension;EDGE=Definitive;EGLD=MultiversX;
    EIGEN=EigenLayer;ELX=Elixir;ENA=Ethena;ENJ=Enjin;ENS=Ethereum Name Service;EOS=EOS;
    ERA=Caldera;ESX=Estatex;ETC=Ethereum Classic;ETH=Ether;ETHFI=ether.fi;
    ETHW=EthereumPoW;EUL=Euler;EURC=Euro Coin;EUROP=EURØP;EURQ=Quantoz EURQ;EURR=StablR Euro;
    EURT=Tether Euro;EWT=Energy Web;FARM=Harvest;FARTCOIN=Fartcoin;
    FET=Artificial Superintelligence;FHE=Mind Network;FIDA=Bonfida;FIL=Filecoin;FIS=Stafi;
    FLOKI=Floki;FLOW=Flow;FLR=Flare;FLUID=Fluid;FLUX=Flux;FORTH=Ampleforth Governance;FWOG=Fwog;
    FXS=Frax Share;G=Gravity;GALA=Gala;GAL=Galxe;GARI=Gari;GHIBLI=Ghiblification;
    GHST=Aavegotchi;GIGA=Gigachad;GLMR=Moonbeam;GMT=STEPN;GMX=GMX;GNO=Gnosis;
    GOAT=Goatseus Maximus;GRASS=Grass;GRIFFAIN=Griffain;GRT=The Graph;GST=Green Satoshi;
    GTC=Gitcoin;GUN=GUNZ;H=Humanity;HBAR=Hedera;HDX=HydraDX;HFT=Hashflow;HMSTR=Hamster Kombat;
    HNT=Helium;HOME=Defi App;HONEY=Hivemapper;HPOS10I=HarryPotterObamaSonic10Inu;HUMA=Huma;
    HYPE=Hyperliquid;HYPER=Hyperlane;ICP=Internet Computer;ICX=ICON;IDEX=IDEX;IMX=Immutable;
    INIT=Initia;INJ=Injective;INTR=Interlay;INV=Inverse;IO=io.net;IP=Story;IOTA=IOTA;
    JAILSTOOL=Stool Prisondente;JASMY=JasmyCoin;JITOSOL=Jito Staked SOL;JST=JUST;JTO=Jito;
    JUNO=Juno;JUP=Jupiter;K=Sidekick;KAITO=Kaito;KAR=Karura;KAS=Kaspa;KAVA=Kava;KEEP=Keep;
    KERNEL=KernelDAO;KET=Yellow Ket;KEY=SelfKey;KILT=KILT;KIN=Kin;KINT=Kintsugi;KMNO=Kamino;
    KNC=Kyber Network;KP3R=Keep3r;KSM=Kusama;KTA=Keeta;KUJI=Kujira;L3=Layer3;LA=Lagrange;
    LAYER=Solayer;LCAI=Lightchain AI;LCX=LCX;LDO=Lido;LINEA=Linea;LINK=Chainlink;
    LMWR=LimeWire;LOBO=LOBO;LOCKIN=LOCK IN;LOFI=LOFI;LPT=Livepeer;LQTY=Liquity;LRC=Loopring;
    LSK=Lisk;LTC=Litecoin;LUNA=Terra Classic;LUNA2=Terra;M=MemeCore;MANA=Decentraland;
    MANTRA=MANTRA;MASK=Mask Network;MATIC=Polygon;MC=Merit Circle;ME=Magic Eden;
    MELANIA=Official Melania;MEME=Memecoin;MERL=Merlin Chain;METIS=Metis;
    MEW=cat in a dogs world;MICHI=michi;MINA=Mina;MIR=Mirror;MIRA=Mira;MKR=Maker;MLN=Enzyme;
    MNGO=Mango;MNT=Mantle;MOG=Mog Coin;MOODENG=Moo Deng;MOON=r/CryptoCurrency Moons;
    MORPHO=Morpho;MOVE=Movement;MOVR=Moonriver;MSOL=Marinade SOL;MULTI=Multichain;
    MUBARAK=Mubarak;MV=GensoKishi;MXC=Moonchain;NANO=Nano;NEAR=NEAR;NEIRO=Neiro;NEWT=Newton;
    NIL=Nillion;NMR=Numeraire;NODL=Nodle;NODE=NodeOps;NOBODY=Nobody Sausage;NOICE=noice;
    NOS=Nosana;NOT=Notcoin;NPC=Non-Playable Coin;NTRN=Neutron;NYM=Nym;OCEAN=Ocean Protocol;
    ODOS=Odos;OGN=Origin;OM=MANTRA;OMG=OMG Network;OMNI=Omni Network;ONDO=Ondo;OP=Optimism;
    OPEN=OpenLedger;ORCA=Orca;ORDER=Orderly;OSMO=Osmosis;OXT=Orchid;OXY=Oxygen;PARTI=Particle;
    PAXG=PAX Gold;PDA=PlayDapp;PENDLE=Pendle;PENGU=Pudgy Penguins;PEPE=Pepe;
    PERP=Perpetual Protocol;PHA=Phala;PLUME=Plume;PNUT=Peanut the Squirrel;POL=Polygon;
    POLIS=Star Atlas DAO;POLS=Polkastarter;POND=Marlin;PONKE=Ponke;POPCAT=Popcat;PORTAL=Portal;
    POWR=Powerledger;PRCL=Parcl;PRIME=Echelon Prime;PROMPT=Wayfinder;PROVE=Succinct;
    PSTAKE=pSTAKE;PUFFER=Puffer;PUMP=Pump.fun;PYTH=Pyth;PYUSD=PayPal USD;Q=Quack AI;QNT=Quant;
    QTUM=Qtum;RAD=Radicle;RAIIN=Raiin;RARE=SuperRare;RARI=Rarible;RAY=Raydium;RBC=Rubic;
    RED=RedStone;REN=Ren;RENDER=Render;REP=Augur;REPV2=Augur v2;REQ=Request;REZ=Renzo;RLC=iExec;
    RLUSD=Ripple USD;ROOK=KeeperDAO;RPL=Rocket Pool;RSR=Reserve Rights;RUJI=Rujira;
    RUNE=THORChain;S=Sonic;SAFE=Safe;SAGA=Saga;SAHARA=Sahara AI;SAMO=Samoyedcoin;
    SAND=The Sandbox;SAPIEN=Sapien;SBR=Saber;SC=Siacoin;SCRT=Secret;SDN=Shiden;SEI=Sei;
    SGB=Songbird;SHIB=Shiba Inu;SIGMA=Sigma;SIREN=Siren;SKL=SKALE;SKY=Sky;SLAY=SatLayer;
    SLP=Smooth Love Potion;SNEK=Snek;SNX=Synthetix;SOGNI=Sogni AI;SOL=Solana;SOMI=Somnia;
    SOON=SOON;SOPH=Sophon;SPELL=Spell;SPK=Spark;SPX=SPX6900;SQD=Subsquid;SRM=Serum;
    SSV=SSV Network;STEP=Step Finance;STG=Stargate;STORJ=Storj;STRD=Stride;STRK=Starknet;
    STX=Stacks;SUI=Sui;SUN=Sun;SUNDOG=Sundog;SUPER=SuperVerse;SUSHI=SushiSwap;SWARMS=Swarms;
    SWEAT=Sweat Economy;SWELL=Swell;SYN=Synapse;SYND=Syndicate;SYRUP=Maple;T=Threshold;TAC=TAC;
    TANSSI=Tanssi;TAO=Bittensor;TBTC=tBTC;TEER=Integritee;TEL=Telcoin;TERM=Terminus;
    TIA=Celestia;TITCOIN=TITCOIN;TLM=Alien Worlds;TNSR=Tensor;TOKE=Tokemak;TOKEN=TokenFi;
    TON=Toncoin;TOSHI=Toshi;TRAC=OriginTrail;TREE=Treehouse;TREMP=Doland Tremp;TRU=TrueFi;
    TRUMP=Official Trump;TRX=TRON;TURBO=Turbo;TURTLE=Turtle;TUSD=TrueUSD;TVK=Terra Virtua;
    U2U=U2U Network;UFD=Unicorn Fart Dust;UMA=UMA;UNFI=Unifi;UNI=Uniswap;USD1=World Liberty USD;
    USDC=USD Coin;USDD=USDD;USDE=Ethena USDe;USDG=Global Dollar;USDQ=Quantoz USDQ;
    USDR=StablR USD;USDS=USDS;USDT=Tether;USDUC=unstable coin;USELESS=Useless Coin;USUAL=Usual;
    UST=TerraUSD Classic;VANRY=Vanar;VELODROME=Velodrome;VELO=Velo;VINE=Vine;
    VIRTUAL=Virtuals Protocol;VSN=Vision;VVV=Venice;W=Wormhole;WAL=Walrus;WAXL=Axelar;
    WBTC=Wrapped Bitcoin;WCT=WalletConnect;WELL=Moonwell;WEN=Wen;WIF=dogwifhat;WIN=WINkLink;
    WLD=Worldcoin;WLFI=World Liberty Financial;WOO=WOO;XAUT=Tether Gold;XBT=Bitcoin;
    XCN=Onyxcoin;XDC=XDC Network;XDG=Dogecoin;XLM=Stellar;XMR=Monero;XNY=Codatta;XPL=Plasma;
    XRP=XRP;XRT=Robonomics;XTER=Xterio;XTZ=Tezos;YFI=yearn.finance;YGG=Yield Guild Games;
    ZBCN=Zebec;ZEC=Zcash;ZETA=ZetaChain;ZEUS=Zeus Network;ZEX=Zeta;ZK=ZKsync;ZORA=Zora;
    ZRC=Zircuit;ZRO=LayerZero;ZRX=0x;1INCH=1inch;2Z=DoubleZero;0G=0G;
    """
}

// MARK: - Tokens of shares

// A token's code is the share's ticker and a small x.

extension AssetNames {
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

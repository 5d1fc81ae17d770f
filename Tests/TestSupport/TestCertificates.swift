// Certificates made for these tests only, valid until 2126. Nothing trusts them but the tests.
//
// Made with OpenSSL 3: a P-256 root (`openssl req -x509 -days 36500`), and two certificates signed
// by it with `openssl x509 -req -CA -extfile`, whose subjectAltName is named below.

/// Certificates that nothing trusts but tests.
public enum TestCertificates {
  /// The root that the TLS tests trust.
  public static let root = """
    -----BEGIN CERTIFICATE-----
    MIIBojCCAUegAwIBAgIUYWa6hSmxR/JexbS67l79u/e+80owCgYIKoZIzj0EAwIw
    HTEbMBkGA1UEAwwSTGl2ZXRhcGUgdGVzdCByb290MCAXDTI2MTEyMTA0MTYzNVoY
    DzIxMjYxMDI4MDQxNjM1WjAdMRswGQYDVQQDDBJMaXZldGFwZSB0ZXN0IHJvb3Qw
    WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ6VIolt/2r144zGt1MqOSUEzFbSwqX
    QPlWoOWQqb8TQuIKwW41CJnQeiREgXQw/ExwMQvoWHd+uM29McgwiNZ4o2MwYTAd
    BgNVHQ4EFgQU8YRrva5PYREwa44FZNJGRhS3tswwHwYDVR0jBBgwFoAU8YRrva5P
    YREwa44FZNJGRhS3tswwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQw
    CgYIKoZIzj0EAwIDSQAwRgIhAMzQj7IxysVgtFjDRJe8g/hOSXxxJJPec0cxBJyq
    /5OEAiEAg2eLU5FjWhhPf3PXeyIh3kv21CHss4NIdTyW70LnwbM=
    -----END CERTIFICATE-----
    """

  /// For `localhost` and 127.0.0.1.
  public static let localhost = """
    -----BEGIN CERTIFICATE-----
    MIIBszCCAVmgAwIBAgIUdDTuCCLu5Bqv7zZq8kjICkMlUVUwCgYIKoZIzj0EAwIw
    HTEbMBkGA1UEAwwSTGl2ZXRhcGUgdGVzdCByb290MCAXDTI2MTEyMTA0MTYzNloY
    DzIxMjYxMDI4MDQxNjM2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjO
    PQIBBggqhkjOPQMBBwNCAAQ4GPVtf5k3mKS0qMq6mHUgwOJwQAPidVHhixfpOq+4
    0YGtby9c5QOd3fsBDJrZOkesw+vxaJB60l2asHXmspFvo34wfDAaBgNVHREEEzAR
    gglsb2NhbGhvc3SHBH8AAAEwCQYDVR0TBAIwADATBgNVHSUEDDAKBggrBgEFBQcD
    ATAdBgNVHQ4EFgQUavTeAhl4LTaPTUliv14/O60NzG8wHwYDVR0jBBgwFoAU8YRr
    va5PYREwa44FZNJGRhS3tswwCgYIKoZIzj0EAwIDSAAwRQIgDjrCMW1rUvTvDjdH
    XjDj4oM5pmw6m9vRyP2uTPRX4MsCIQCRp6VWnzyfX4sWbPHO6v13DHLHezhc9qn3
    xa9dwv2mVQ==
    -----END CERTIFICATE-----
    """

  /// The key of ``localhost``.
  public static let localhostKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNiYl4Zm1XyJb5UtX
    5cq+M+HWOeANP4E898K66O3KRMGhRANCAAQ4GPVtf5k3mKS0qMq6mHUgwOJwQAPi
    dVHhixfpOq+40YGtby9c5QOd3fsBDJrZOkesw+vxaJB60l2asHXmspFv
    -----END PRIVATE KEY-----
    """

  /// For `elsewhere.example`.
  public static let elsewhere = """
    -----BEGIN CERTIFICATE-----
    MIIBtjCCAVygAwIBAgIUdDTuCCLu5Bqv7zZq8kjICkMlUVYwCgYIKoZIzj0EAwIw
    HTEbMBkGA1UEAwwSTGl2ZXRhcGUgdGVzdCByb290MCAXDTI2MTEyMTA0MTYzNloY
    DzIxMjYxMDI4MDQxNjM2WjAUMRIwEAYDVQQDDAllbHNld2hlcmUwWTATBgcqhkjO
    PQIBBggqhkjOPQMBBwNCAATQPfmAjkx5AyJSQshfJnFX74dSlWRvi2Gd0VNbVXS9
    P4y3EyNcapiUlxU4kjEVow9bVFLDZATRi2DkjPQR1nCQo4GAMH4wHAYDVR0RBBUw
    E4IRZWxzZXdoZXJlLmV4YW1wbGUwCQYDVR0TBAIwADATBgNVHSUEDDAKBggrBgEF
    BQcDATAdBgNVHQ4EFgQUiV2DiRZYy4Jlwcdz8CUwToXECJAwHwYDVR0jBBgwFoAU
    8YRrva5PYREwa44FZNJGRhS3tswwCgYIKoZIzj0EAwIDSAAwRQIhAPRJxc3+an1p
    0RzDSUez0JF9yJ9OQ9xBw0JnRbxbWuRNAiASX4Glnq8oXnpzo/W+R1OK54KaStLs
    HRiJLMxUUkEORg==
    -----END CERTIFICATE-----
    """

  /// The key of ``elsewhere``.
  public static let elsewhereKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjROzqYAsvu5R6V7N
    5zrBt3So2HfAs/0wHMPOkLUyMfGhRANCAATQPfmAjkx5AyJSQshfJnFX74dSlWRv
    i2Gd0VNbVXS9P4y3EyNcapiUlxU4kjEVow9bVFLDZATRi2DkjPQR1nCQ
    -----END PRIVATE KEY-----
    """
}

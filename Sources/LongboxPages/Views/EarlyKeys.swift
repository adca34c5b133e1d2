// Longbox
// SPDX-License-Identifier: MIT

/// Collects the keys that are pressed before app.js has loaded, which then acts on them.
///
/// It is the only script within pages, so the Content-Security-Policy names its hash
/// ([CSP Level 3, 2.3.1](https://www.w3.org/TR/CSP3/#grammardef-hash-source)).
public enum EarlyKeys {
  /// The text of the script.
  static var script: StaticString { "onkeydown=function(e){(self.earlyKeys??=[]).push(e)}" }
  /// The source expression that allows the script.
  public static var source: StaticString { "'sha256-2Cd90QroImYedzBiPv1gIuAFOQaV4RRLAb2D2+Tfrkc='" }
}

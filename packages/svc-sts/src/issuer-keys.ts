import type { JSONWebKeySet } from 'jose';
import { getJson } from './public-json.ts';
import type { SignatureCheck } from './token-signature.ts';

/** Milliseconds for which keys are kept, and before they are fetched again for a key id they do not have. */
const KEPT_FOR = 300_000;
const RETRY_AFTER = 10_000;
/** Most issuers whose keys are kept. */
const MOST = 100;

/** How a document is fetched; `anywhere` for private and loopback addresses too. */
export type GetDocument = (url: string, options: { anywhere: boolean }) => Promise<unknown>;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && Array.isArray((value as { keys?: unknown }).keys);

/** The keys of issuers, as their discovery documents name them (OpenID Connect Discovery 1.0), kept for five minutes. */
export class IssuerKeys {
  private readonly kept = new Map<string, { at: number; keys: Promise<JSONWebKeySet> }>();

  /** @param allowed issuers that may be at private and loopback addresses */
  constructor(
    private readonly allowed: readonly string[],
    private readonly get: GetDocument = async (url, options) => getJson(url, options),
  ) {}

  /**
   * Checks the signature of an issuer's token.
   * @param now machine time in milliseconds
   * @param onFailure told why the keys cannot be had
   */
  async check(
    token: string,
    issuer: string,
    now: number,
    onFailure: (reason: unknown) => void,
  ): Promise<SignatureCheck> {
    try {
      // Loaded here only: most never have a token checked.
      const { checkSignature } = await import('./token-signature.ts');
      const result = await checkSignature(token, await this.keysOf(issuer, now, KEPT_FOR));
      // Issuers change their keys: an unknown one is asked for anew, though not with every token.
      return result === 'no key' ? await checkSignature(token, await this.keysOf(issuer, now, RETRY_AFTER)) : result;
    } catch (error) {
      onFailure(error);
      return 'no key';
    }
  }

  private keysOf(issuer: string, now: number, maxAge: number): Promise<JSONWebKeySet> {
    const known = this.kept.get(issuer);
    if (known && now - known.at < maxAge) return known.keys;
    const keys = this.fetch(issuer);
    this.kept.delete(issuer);
    if (this.kept.size >= MOST) this.kept.delete(this.kept.keys().next().value!);
    const entry = { at: now, keys };
    this.kept.set(issuer, entry);
    keys.catch(() => {
      if (this.kept.get(issuer) === entry) this.kept.delete(issuer);
    });
    return keys;
  }

  private async fetch(issuer: string): Promise<JSONWebKeySet> {
    const base = issuer.replace(/\/+$/, '');
    const anywhere = this.allowed.includes(base);
    const document = await this.get(`${base}/.well-known/openid-configuration`, { anywhere });
    const { jwks_uri: uri } = (document ?? {}) as { jwks_uri?: unknown };
    if (typeof uri !== 'string') throw new Error(`the discovery document of ${issuer} has no jwks_uri`);
    const keys = await this.get(uri, { anywhere });
    if (!isKeySet(keys)) throw new Error(`${uri} is no set of keys`);
    return keys;
  }
}

import type { JSONWebKeySet } from 'jose';
import type { SignatureCheck } from '../tokens/token-signature.ts';

/** Milliseconds for which keys are cached, and between two requests for unknown key ids. */
const KEPT_FOR = 300_000;
const RETRY_AFTER = 10_000;
/** Limit of issuers with cached keys. */
const MAX_ISSUERS = 100;

/** Fetches a document. `anywhere` allows private and loopback addresses. */
export type GetDocument = (url: string, options: { anywhere: boolean }) => Promise<unknown>;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && Array.isArray((value as { keys?: unknown }).keys);

/** Keys of issuers from their discovery documents (OpenID Connect Discovery 1.0), cached for five minutes. */
export class IssuerKeys {
  private readonly kept = new Map<string, { at: number; keys: Promise<JSONWebKeySet> }>();

  /**
   * @param allowed issuers that may use private and loopback addresses
   * @param get fetches their documents
   */
  constructor(
    private readonly allowed: readonly string[],
    private readonly get: GetDocument,
  ) {}

  /**
   * Verifies the signature of an issuer's token.
   * @param now machine time in milliseconds
   * @param onFailure called with the reason if the keys cannot be fetched
   */
  async check(
    token: string,
    issuer: string,
    now: number,
    onFailure: (reason: unknown) => void,
  ): Promise<SignatureCheck> {
    try {
      // Loaded on demand, because most processes verify no token.
      const { checkSignature } = await import('../tokens/token-signature.ts');
      const result = await checkSignature(token, await this.keysOf(issuer, now, KEPT_FOR));
      // Issuers rotate their keys, so an unknown key id fetches them again, at a limited rate.
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
    if (this.kept.size >= MAX_ISSUERS) this.kept.delete(this.kept.keys().next().value!);
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
    if (!isKeySet(keys)) throw new Error(`${uri} is not a key set`);
    return keys;
  }
}

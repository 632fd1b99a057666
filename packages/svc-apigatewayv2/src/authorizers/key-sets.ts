import { Fields, sendToEndpoint } from '@emu/apigateway-common';
import type { ServiceHandle } from '@emu/core/service';
import { parseJson } from '@emu/wire';
import type { JSONWebKeySet } from 'jose';

/** Lifetime of cached keys in milliseconds, as in AWS. */
const KEY_LIFETIME = 2 * 60 * 60_000;
/** Milliseconds before an issuer is requested again for an unknown key. */
const REFETCH_PAUSE = 60_000;
const MAX_ISSUERS = 1000;
const TIMEOUT = 10_000;
/** Issuers in AWS, that is user pools in emu. */
const OF_AWS = /\.amazonaws\.com(?:\.cn)?$/;

interface Kept {
  readonly keys: Promise<JSONWebKeySet>;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Cache of the issuers' public keys. */
export class KeySets {
  private readonly issuers = new Map<string, Kept>();

  constructor(private readonly service: ServiceHandle) {}

  /**
   * Returns the keys of an issuer.
   * @throws Error if they are unavailable
   */
  of(issuer: string): Promise<JSONWebKeySet> {
    const kept = this.issuers.get(issuer);
    return kept && this.service.clock.now() - kept.at < KEY_LIFETIME ? kept.keys : this.fetch(issuer);
  }

  /** Refetches the keys of an issuer; undefined if they were fetched moments ago. */
  async refreshed(issuer: string): Promise<JSONWebKeySet | undefined> {
    const kept = this.issuers.get(issuer);
    if (kept && this.service.clock.now() - kept.at < REFETCH_PAUSE) return undefined;
    return this.fetch(issuer);
  }

  private fetch(issuer: string): Promise<JSONWebKeySet> {
    const keys = this.keysOf(issuer);
    this.issuers.delete(issuer);
    this.issuers.set(issuer, { keys, at: this.service.clock.now() });
    // Failures are not cached.
    keys.catch(() => this.issuers.delete(issuer));
    for (const oldest of this.issuers.keys()) {
      if (this.issuers.size <= MAX_ISSUERS) break;
      this.issuers.delete(oldest);
    }
    return keys;
  }

  private async keysOf(issuer: string): Promise<JSONWebKeySet> {
    const configuration = await this.json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const address = configuration.jwks_uri;
    if (typeof address !== 'string') throw new Error('the issuer has no key set URL');
    const keys = await this.json(address);
    if (!Array.isArray(keys.keys)) throw new Error('the issuer has no keys');
    return keys as unknown as JSONWebKeySet;
  }

  private async json(address: string): Promise<Record<string, unknown>> {
    const { names } = this.service;
    let url = new URL(address);
    const headers = Fields.headers([['accept', 'application/json']]);
    // Also if the setting leads such names to AWS, where emu's user pools are unknown.
    if (OF_AWS.test(url.hostname)) {
      headers.set('host', url.host);
      url = new URL(`${await this.service.selfUrl()}${url.pathname}${url.search}`);
    }
    const request = { names, url, method: 'GET', headers, body: undefined, timeout: TIMEOUT };
    const answer = await sendToEndpoint(request);
    if (answer.status !== 200) throw new Error(`the issuer answered ${answer.status}`);
    const json: unknown = parseJson(answer.body.toString());
    if (typeof json !== 'object' || json === null) throw new Error("the issuer's response is not an object");
    return json as Record<string, unknown>;
  }
}

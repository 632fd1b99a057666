import { isApiRecord, type RecordedLine } from '@emu/recording';
import { asString, isObject, type ServiceModel } from '@emu/wire';
import type { Mapping } from './mapping.ts';

const ACCOUNT_IN_ARN = /\barn:aws[a-z-]*:[a-z0-9-]*:[a-z0-9-]*:(\d{12}):/g;
/** Number of responses that are searched for account ids. */
const SEARCHED = 1000;
/** A part of a credential scope. */
const PART = /^[A-Za-z0-9_-]{1,128}$/;
const DEFAULT_ACCOUNT = '123456789012';

/** Returns the account of the user's own requests: the one in most ARNs of responses. */
export function accountOf(lines: readonly RecordedLine[]): string {
  const found = new Map<string, number>();
  for (const { record } of lines.slice(0, SEARCHED)) {
    if (!isApiRecord(record) || record.signer !== undefined || !record.output) continue;
    for (const [, account] of JSON.stringify(record.output).matchAll(ACCOUNT_IN_ARN))
      found.set(account!, (found.get(account!) ?? 0) + 1);
  }
  return [...found].sort(([, a], [, b]) => b - a)[0]?.[0] ?? DEFAULT_ACCOUNT;
}

/** Names the caller of requests, as emulators that do not verify signatures read it. */
export class Signer {
  /** Session tokens of responses by access key id, both as in this run. */
  private readonly tokens = new Map<string, string>();

  /** @param account of the user's own requests */
  constructor(
    private readonly account: string,
    private readonly mapping: Mapping,
  ) {}

  /** Adds the temporary credentials in an output of this run. */
  addCredentials(output: Readonly<Record<string, unknown>>): void {
    const { Credentials: credentials } = output;
    if (!isObject(credentials)) return;
    const { AccessKeyId, AccessKeyID, SessionToken } = credentials;
    const keyId = asString(AccessKeyId) ?? asString(AccessKeyID);
    if (keyId !== undefined && typeof SessionToken === 'string') this.tokens.set(keyId, SessionToken);
  }

  /**
   * Returns the headers with the caller, service and region.
   * @param signer as in a record
   * @param time in epoch milliseconds
   */
  headers(model: ServiceModel, region: string, signer: string | undefined, time: number): Record<string, string> {
    return this.headersOf(model.metadata.signingName, region, signer, time);
  }

  /** Returns the headers of a request to a service without a model. */
  headersOf(service: string, region: string, signer: string | undefined, time: number): Record<string, string> {
    if (signer === 'anonymous') return {};
    const keyId = signer === undefined ? this.account : this.mapping.replace(signer);
    if (![keyId, region, service].every((part) => PART.test(part)))
      throw new TypeError('the recorded signer is invalid');
    const date = new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const scope = `${keyId}/${date.slice(0, 8)}/${region}/${service}/aws4_request`;
    const token = this.tokens.get(keyId);
    return {
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
      'x-amz-date': date,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      ...(token !== undefined && { 'x-amz-security-token': token }),
    };
  }
}

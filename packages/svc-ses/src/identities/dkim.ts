import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type Ids, notEmulated } from '@emu/core/service';
import type { DkimSigningAttributes } from '@emu/service-types/sesv2';
import type { Identity } from '../context.ts';
import { type Api, badRequest, invalid } from '../errors.ts';
import type { DkimRecord } from '../records.ts';
import type { SesState } from '../state.ts';
import { coveringNames, domainOf } from './names.ts';

const makeKeyPair = promisify(generateKeyPair);

const TOKENS = 3;
const TOKEN_LENGTH = 32;
const TOKEN_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const SELECTOR = /^[a-zA-Z0-9](([a-zA-Z0-9-]*[a-zA-Z0-9]))*$/;
const MIN_BITS = 1024;
const MAX_BITS = 2048;

/** Returns the names of a domain's three SES-managed keys. */
export const newTokens = (ids: Ids): string[] =>
  Array.from({ length: TOKENS }, () => ids.chars(TOKEN_LENGTH, TOKEN_LETTERS));

/**
 * Parses a PEM key, whose delimiter lines are optional as in AWS.
 * @throws AwsError for other text
 */
function readKey(text: string): KeyObject {
  const bare = text.replace(/-----[^-]+-----/g, '').replace(/\s+/g, '');
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      const key = createPrivateKey({ key: Buffer.from(bare, 'base64'), format: 'der', type });
      const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
      if (key.asymmetricKeyType === 'rsa' && bits >= MIN_BITS && bits <= MAX_BITS) return key;
    } catch {
      // Not in this format; the other one is tried next.
    }
  }
  throw badRequest('The DomainSigningPrivateKey is not an RSA private key of 1024 to 2048 bits in base64.');
}

/**
 * Returns the DKIM settings of an identity for a request.
 * @param verified whether DNS records count as found immediately
 * @throws AwsError `BadRequestException` for invalid keys and selectors
 */
export function dkimFor(
  attributes: DkimSigningAttributes,
  ids: Ids,
  now: number,
  verified: boolean,
): Omit<DkimRecord, 'enabled'> {
  const { DomainSigningSelector, DomainSigningPrivateKey, NextSigningKeyLength, DomainSigningAttributesOrigin } =
    attributes;
  if (DomainSigningAttributesOrigin !== undefined && /^AWS_SES_./.test(DomainSigningAttributesOrigin))
    throw notEmulated('keys that are replicated from another region', 'ses');
  const status = verified ? 'SUCCESS' : 'PENDING';
  if (DomainSigningSelector === undefined && DomainSigningPrivateKey === undefined)
    return {
      status,
      origin: 'AWS_SES',
      tokens: newTokens(ids),
      length: NextSigningKeyLength ?? 'RSA_2048_BIT',
      keyMadeAt: now,
    };
  if (DomainSigningSelector === undefined || DomainSigningPrivateKey === undefined || NextSigningKeyLength)
    throw badRequest(
      'DomainSigningSelector and DomainSigningPrivateKey belong together, and NextSigningKeyLength is for keys that SES manages.',
    );
  if (!SELECTOR.test(DomainSigningSelector)) throw badRequest('The DomainSigningSelector is not valid.');
  const privateKey = readKey(DomainSigningPrivateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
  return { status, origin: 'EXTERNAL', tokens: [], selector: DomainSigningSelector, privateKey };
}

/** A signing key with the location of its public key in DNS. */
export interface SigningKey {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

const making = new WeakMap<SesState, Map<string, Promise<string>>>();

/** Returns the private key of a domain with SES-managed keys, generated on first use. */
async function managedKey(state: SesState, identity: Identity): Promise<string> {
  let pending = making.get(state);
  if (!pending) {
    pending = new Map();
    making.set(state, pending);
  }
  const { name } = identity;
  const [token = ''] = identity.dkim.tokens;
  let key = pending.get(token);
  if (!key) {
    const modulusLength = identity.dkim.length === 'RSA_1024_BIT' ? MIN_BITS : MAX_BITS;
    key = makeKeyPair('rsa', { modulusLength }).then(({ privateKey }) => {
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      // The identity may have been deleted or have new keys.
      if (state.identity(name)?.dkim.tokens[0] === token)
        state.identities.update(name, (draft) => {
          draft.dkim.privateKey = pem;
        });
      return pem;
    });
    pending.set(token, key);
    const done = () => pending.delete(token);
    key.then(done, done);
  }
  return key;
}

/** Returns the identity of an address's domain, or of the closest parent domain; undefined if there is none. */
function domainIdentityOf(state: SesState, address: string): Identity | undefined {
  for (const name of coveringNames(address)) {
    const identity = name.includes('@') ? undefined : state.identity(name);
    if (identity) return identity;
  }
  return undefined;
}

/**
 * Returns the identity with the DKIM settings of another: an address has those of its domain, if that is an identity.
 * @see https://github.com/floci-io/floci/pull/1904
 */
export const dkimSource = (state: SesState, identity: Identity): Identity =>
  identity.type === 'DOMAIN' ? identity : (domainIdentityOf(state, identity.name) ?? identity);

/**
 * Enables or disables DKIM signing for an identity. Has no effect for an address whose domain is an identity.
 * @throws AwsError for an unknown domain
 * @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityDkimEnabled.html
 */
export function setDkimEnabled(state: SesState, name: string, enabled: boolean, api: Api): void {
  const isAddress = name.includes('@');
  if (isAddress && domainIdentityOf(state, name)) return;
  const identity = state.identity(name);
  if (!identity || (isAddress && enabled))
    throw invalid(api, `Domain ${domainOf(name)} is not verified for DKIM signing.`);
  state.identities.update(identity.name, (draft) => {
    draft.dkim.enabled = enabled;
  });
}

/** Returns the key of a domain identity; undefined if it has none. */
export async function signingKeyOf(state: SesState, identity: Identity): Promise<SigningKey | undefined> {
  const { name, type, dkim } = identity;
  if (type !== 'DOMAIN') return undefined;
  const selector = dkim.selector ?? dkim.tokens[0];
  if (selector === undefined) return undefined;
  return { domain: name, selector, privateKey: dkim.privateKey ?? (await managedKey(state, identity)) };
}

/** Returns the signing key for mail from an address: that of its domain, if verified and enabled. */
export async function keyForMail(state: SesState, address: string): Promise<SigningKey | undefined> {
  for (const name of coveringNames(address)) {
    const identity = state.identity(name);
    if (identity?.type === 'DOMAIN' && identity.dkim.enabled && identity.dkim.status === 'SUCCESS')
      return signingKeyOf(state, identity);
  }
  return undefined;
}

/** Returns the public key in base64 DER, as in a TXT record. */
export const publicKeyOf = ({ privateKey }: SigningKey): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');

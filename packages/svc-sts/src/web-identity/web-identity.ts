import { servicePrincipalName } from '@emu/core/service';
import { type AwsError, isObject, parseJson } from '@emu/wire';
import { stsError } from '../errors.ts';
import { oidcProviderType } from '../resources.ts';
import { requireArn } from '../sessions/roles.ts';
import { checkTokenTags } from '../tags.ts';

const rejected = (message: string): AwsError => stsError('InvalidIdentityTokenException', message);

/** Content of an OpenID Connect ID token that STS uses. */
export interface WebIdentity {
  subject: string;
  issuer: string;
  audience: string;
  tags: { Key: string; Value: string }[];
  transitiveTagKeys: string[];
  sourceIdentity: string | undefined;
  /** Authentication methods (`amr`), present in tokens of identity pools. */
  methods: string[];
}

type Claims = Record<string, unknown>;

/** Claim with session tags: `{ "principal_tags": { key: [value] }, "transitive_tag_keys": [key] }`. */
const TAGS_CLAIM = 'https://aws.amazon.com/tags';
const SOURCE_IDENTITY_CLAIM = 'https://aws.amazon.com/source_identity';
const ALGORITHMS = /^(RS|ES)(256|384|512)$/;

const NOT_A_JWT = 'The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)';

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/**
 * Parses an ID token. `verifyWebIdentity` verifies its signature.
 * @param token a JWT in compact serialisation (RFC 7519)
 * @param now epoch milliseconds, compared with `exp`
 * @throws AwsError `InvalidIdentityToken` or `ExpiredTokenException`
 */
export function readWebIdentityToken(token: string, now: number): WebIdentity {
  const parts = token.split('.');
  const [header, claims] = [jsonPart(parts[0]), jsonPart(parts[1])];
  if (parts.length !== 3 || !header || !claims || !/^[\w-]+$/.test(parts[2] ?? '')) throw rejected(NOT_A_JWT);
  if (typeof header.alg !== 'string' || !ALGORITHMS.test(header.alg))
    throw rejected('Token must be signed by an RSA or ECDSA key');
  const issuer = requireText(claims, 'iss');
  const subject = requireText(claims, 'sub');
  const audience = requireAudience(claims);
  const expiry = requireSeconds(claims, 'exp');
  const seconds = Math.floor(now / 1000);
  if (seconds >= expiry)
    throw stsError(
      'ExpiredTokenException',
      `Token expired: current date/time ${seconds} must be before the expiration date/time ${expiry}`,
    );
  return {
    subject,
    issuer,
    audience,
    ...readTags(claims[TAGS_CLAIM]),
    sourceIdentity: readSourceIdentity(claims),
    methods: isStrings(claims.amr) ? claims.amr : [],
  };
}

function jsonPart(part: string | undefined): Claims | undefined {
  if (part === undefined || !/^[\w-]+=*$/.test(part)) return undefined;
  try {
    const value: unknown = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const missing = (claim: string): Error => rejected(`Missing a required claim: ${claim}`);

function requireText(claims: Claims, claim: string): string {
  const value = claims[claim];
  if (typeof value !== 'string' || value === '') throw missing(claim);
  return value;
}

/** Returns the audience; for several audiences the authorized party (`azp`). */
function requireAudience(claims: Claims): string {
  const { aud: value, azp } = claims;
  if (typeof azp === 'string' && azp !== '') return azp;
  const audience = isStrings(value) ? value[0] : value;
  if (typeof audience !== 'string' || audience === '') throw missing('aud');
  return audience;
}

function requireSeconds(claims: Claims, claim: string): number {
  const value = claims[claim];
  if (value === undefined) throw missing(claim);
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw rejected(`Timestamps in the token must be integers: ${claim}`);
  return value;
}

function readSourceIdentity(claims: Claims): string | undefined {
  const value = claims[SOURCE_IDENTITY_CLAIM];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[\w+=,.@-]{2,64}$/.test(value) || value.startsWith('aws:'))
    throw rejected('Source Identity must match [a-zA-Z_0-9+=,.@-]{2,64} and not begin with "aws:"');
  return value;
}

function readTags(claim: unknown): Pick<WebIdentity, 'tags' | 'transitiveTagKeys'> {
  if (claim === undefined) return { tags: [], transitiveTagKeys: [] };
  const malformed = rejected('The session tags in the token are malformed');
  if (!isObject(claim)) throw malformed;
  const { principal_tags: principalTags = {}, transitive_tag_keys: transitiveTagKeys = [] } = claim;
  if (!isObject(principalTags) || !isStrings(transitiveTagKeys)) throw malformed;
  const tags = Object.entries(principalTags).map(([Key, values]) => {
    const value = isStrings(values) ? values[0] : values;
    if (typeof value !== 'string') throw malformed;
    return { Key, Value: value };
  });
  checkTokenTags(tags, malformed);
  return { tags, transitiveTagKeys };
}

/** Providers built into IAM, which need no provider resource. */
const BUILT_IN = new Set([
  'accounts.google.com',
  servicePrincipalName('cognito-identity'),
  'graph.facebook.com',
  'www.amazon.com',
]);

/** Whether an issuer is built into IAM. */
export const isBuiltIn = (issuer: string): boolean => BUILT_IN.has(issuerName(issuer));

const issuerName = (issuer: string): string => issuer.replace(/^https:\/\//, '');

/**
 * Returns the provider of an issuer as in trust policies: a built-in name, or the ARN of the OpenID Connect provider in
 * the account of the role.
 * @param region of the request, which determines the partition
 */
export function providerOf(issuer: string, roleArn: string, region: string): string {
  const name = issuerName(issuer);
  if (BUILT_IN.has(name)) return name;
  return oidcProviderType.arn({ url: name }, { accountId: requireArn(roleArn).accountId, region });
}

/**
 * Returns the condition keys of a token in lower case, e.g. `accounts.google.com:sub`. The session stores them.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
 */
export function webIdentityClaims({
  issuer,
  audience,
  subject,
  methods,
}: WebIdentity): Record<string, string | string[]> {
  const name = issuerName(issuer).toLowerCase();
  return {
    [`${name}:aud`]: audience,
    [`${name}:sub`]: subject,
    ...(methods.length && { [`${name}:amr`]: methods }),
  };
}

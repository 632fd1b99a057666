import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { invalidParameter } from '../errors.ts';
import type { ProviderRecord } from '../records.ts';

type Details = Readonly<Record<string, string>>;

const FACEBOOK_VERSION = 'v21.0';

/**
 * Returns Cognito's default details of social providers, shown unless overridden.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateIdentityProvider.html
 */
function fixedDetails(type: ProviderRecord['type'], { api_version: version = FACEBOOK_VERSION }: Details): Details {
  switch (type) {
    case 'Facebook':
      return {
        attributes_url: `https://graph.facebook.com/${version}/me?fields=`,
        attributes_url_add_attributes: 'true',
        authorize_url: `https://www.facebook.com/${version}/dialog/oauth`,
        token_request_method: 'GET',
        token_url: `https://graph.facebook.com/${version}/oauth/access_token`,
      };
    case 'Google':
      return {
        attributes_url: 'https://people.googleapis.com/v1/people/me?personFields=',
        attributes_url_add_attributes: 'true',
        authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
        oidc_issuer: 'https://accounts.google.com',
        token_request_method: 'POST',
        token_url: 'https://www.googleapis.com/oauth2/v4/token',
      };
    case 'LoginWithAmazon':
      return {
        attributes_url: 'https://api.amazon.com/user/profile',
        attributes_url_add_attributes: 'false',
        authorize_url: 'https://www.amazon.com/ap/oa',
        token_request_method: 'POST',
        token_url: 'https://api.amazon.com/auth/o2/token',
      };
    case 'SignInWithApple':
      return {
        attributes_url_add_attributes: 'false',
        authorize_url: 'https://appleid.apple.com/auth/authorize',
        oidc_issuer: 'https://appleid.apple.com',
        token_request_method: 'POST',
        token_url: 'https://appleid.apple.com/auth/token',
      };
    case 'OIDC':
      return { attributes_url_add_attributes: 'false' };
    default:
      return {};
  }
}

/** Returns a provider's details including Cognito's defaults. */
export const allDetails = ({ type, details }: Pick<ProviderRecord, 'type' | 'details'>): Record<string, string> => ({
  ...fixedDetails(type, details),
  ...details,
});

/** Key set URLs of providers without discovery. */
export const KEY_SETS: Partial<Record<ProviderRecord['type'], string>> = {
  Google: 'https://www.googleapis.com/oauth2/v3/certs',
  SignInWithApple: 'https://appleid.apple.com/auth/keys',
};

/** User id attributes by provider. */
export const USER_IDS: Partial<Record<ProviderRecord['type'], string>> = {
  Facebook: 'id',
  Google: 'sub',
  LoginWithAmazon: 'user_id',
  SignInWithApple: 'sub',
  OIDC: 'sub',
};

/** Returns the URL of a user's attributes, with the names of mapped attributes if the provider requires them. */
export function attributesAddress(details: Details, mapping: Readonly<Record<string, string>> = {}): string {
  const { attributes_url: url, attributes_url_add_attributes: addsNames } = details;
  if (addsNames !== 'true') return url!;
  return `${url}${[...new Set(Object.values(mapping))].map(encodeURIComponent).join(',')}`;
}

/** Validity of Apple client secrets, in seconds. */
const APPLE_VALIDITY = 300;

/**
 * Returns a client secret for Apple: a token signed with the client's key.
 * @param now in epoch milliseconds
 * @throws AwsError for an invalid key
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function appleSecret(details: Details, issuer: string, now: number): Promise<string> {
  const { private_key: given = '', team_id: team, key_id: kid, client_id: subject } = details;
  const pem = given.includes('-----')
    ? given.replaceAll('\\n', '\n')
    : `-----BEGIN PRIVATE KEY-----\n${given}\n-----END PRIVATE KEY-----`;
  const issuedAt = Math.floor(now / 1000);
  try {
    return await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: kid! })
      .setIssuer(team!)
      .setSubject(subject!)
      .setAudience(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + APPLE_VALIDITY)
      .sign(createPrivateKey(pem));
  } catch (error) {
    throw invalidParameter(`The private key of the provider cannot sign: ${(error as Error).message}`);
  }
}

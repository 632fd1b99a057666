/** Header of an encrypted JSON Web Token, with which Cognito's refresh tokens start. */
const HEAD = Buffer.from('{"cty":"JWT","enc":"A256GCM","alg":"RSA-OAEP"}').toString('base64url');

/** Parts of a refresh token. */
export interface RefreshTokenParts {
  poolId: string;
  grantId: string;
  secret: string;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (text: string): string => Buffer.from(text, 'base64url').toString();

/** Returns a refresh token with five parts, like an encrypted token. */
export const refreshToken = ({ poolId, grantId, secret }: RefreshTokenParts): string =>
  [HEAD, encode(poolId), encode(grantId), secret.slice(0, -22), secret.slice(-22)].join('.');

/** Parses a refresh token; undefined for other text. */
export function readRefreshToken(token: string): RefreshTokenParts | undefined {
  const [head, pool, grant, first, last, more] = token.split('.');
  if (head !== HEAD || !pool || !grant || !first || !last || more !== undefined) return undefined;
  return { poolId: decode(pool), grantId: decode(grant), secret: first + last };
}

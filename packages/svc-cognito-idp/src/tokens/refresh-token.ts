/** The head of an encrypted JSON Web Token, as Cognito's refresh tokens begin. */
const HEAD = Buffer.from('{"cty":"JWT","enc":"A256GCM","alg":"RSA-OAEP"}').toString('base64url');

/** What a refresh token stands for. */
export interface RefreshTokenParts {
  poolId: string;
  grantId: string;
  secret: string;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (text: string): string => Buffer.from(text, 'base64url').toString();

/** The text of a refresh token: five parts, as those of an encrypted token. */
export const refreshToken = ({ poolId, grantId, secret }: RefreshTokenParts): string =>
  [HEAD, encode(poolId), encode(grantId), secret.slice(0, -22), secret.slice(-22)].join('.');

/** What a refresh token stands for; undefined for a text that is none. */
export function readRefreshToken(token: string): RefreshTokenParts | undefined {
  const [head, pool, grant, first, last, more] = token.split('.');
  if (head !== HEAD || !pool || !grant || !first || !last || more !== undefined) return undefined;
  return { poolId: decode(pool), grantId: decode(grant), secret: first + last };
}

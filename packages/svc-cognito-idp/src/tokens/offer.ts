import type { ServiceHandle, UserPoolTokens } from '@emu/core/service';
import { locatePool } from '../lookup.ts';
import type { CognitoState } from '../state.ts';
import { grantOf, readToken } from './verify.ts';

/** Returns the user pool token capability for other services. */
export function openUserPoolTokens(handle: ServiceHandle<CognitoState>): UserPoolTokens {
  return {
    async read(token) {
      const found = await readToken(token, { handle });
      if (!found) return undefined;
      const { state, pool, claims } = found;
      const name = claims['cognito:username'] ?? claims.username;
      const user = typeof name === 'string' ? state.user(pool, name) : undefined;
      return {
        poolId: pool.id,
        region: state.region,
        claims,
        active: user?.sub === claims.sub && user?.enabled === true && grantOf(found) !== undefined,
      };
    },
    isIssuer: (issuer) => locatePool(issuer.slice(issuer.lastIndexOf('/') + 1), { handle }) !== undefined,
  };
}

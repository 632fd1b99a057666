import type { Authenticated } from '../logins/link.ts';
import { textsOf } from '../logins/token.ts';
import type { VerifiedLogin } from '../logins/verify.ts';
import type { LocatedPool } from '../lookup.ts';
import type { Pool } from '../records.ts';
import { signToken } from '../signing/keys.ts';
import { mappingOf } from './roles.ts';

/** Claim with session tags, as STS expects it. */
const TAGS_CLAIM = 'https://aws.amazon.com/tags';
const DEFAULT_TAGS: Readonly<Record<string, string>> = { username: 'sub', client: 'aud' };

/** Returns the session tags of logins by the pool's mappings of claims. */
export function principalTags(pool: Pool, logins: readonly VerifiedLogin[]): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const login of logins) {
    const mapping = mappingOf(pool.tagMappings, login);
    if (!mapping) continue;
    for (const [key, claim] of Object.entries(mapping.useDefaults ? DEFAULT_TAGS : mapping.tags)) {
      const [value] = textsOf(login.claims[claim]);
      if (value !== undefined) tags[key] = value;
    }
  }
  return tags;
}

/** Returns the authentication methods of an identity, the value of `cognito-identity.amazonaws.com:amr` in policies. */
function methodsOf({ logins, own }: Pick<Authenticated, 'logins' | 'own'>): string[] {
  if (!logins.length && !own) return ['unauthenticated'];
  const known = own ? textsOf(own.amr) : ['authenticated'];
  return [...known, ...logins.flatMap(({ provider, method }) => [provider, method])];
}

/**
 * Creates the OpenID token of an identity.
 * @param duration validity in seconds
 * @param tags session tags in the token
 */
export function openIdToken(
  { state, pool }: LocatedPool,
  authenticated: Authenticated,
  duration: number,
  tags: Readonly<Record<string, string>>,
): Promise<string> {
  const inherited = authenticated.own?.[TAGS_CLAIM];
  const named = Object.entries(tags).map(([key, value]) => [key, [value]]);
  const own = named.length ? { principal_tags: Object.fromEntries(named) } : inherited;
  return signToken(
    state,
    {
      sub: authenticated.identity.id,
      aud: pool.id,
      amr: methodsOf(authenticated),
      ...(own !== undefined && { [TAGS_CLAIM]: own }),
    },
    duration,
  );
}

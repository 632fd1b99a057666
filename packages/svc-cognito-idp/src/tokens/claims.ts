import type { GroupRecord, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Claims of a token. */
export type Claims = Record<string, unknown>;

/** Returns the groups of a user, highest precedence first. */
export function groupsOf(pool: Pool, user: User, state: CognitoState): Readonly<GroupRecord>[] {
  const groups = user.groups
    .map((name) => state.groups.get(`${pool.id}/${name}`))
    .filter((group) => group !== undefined);
  return groups.sort(
    (a, b) =>
      (a.precedence ?? Number.POSITIVE_INFINITY) - (b.precedence ?? Number.POSITIVE_INFINITY) ||
      (a.name < b.name ? -1 : 1),
  );
}

/** Groups and roles, in the form of tokens and triggers. */
export interface GroupClaims {
  groups: string[];
  roles: string[];
  preferredRole: string | undefined;
}

/** Returns the claims for a user's groups; the preferred role only if one role has the highest precedence. */
export function groupClaims(groups: readonly Readonly<GroupRecord>[]): GroupClaims {
  const withRoles = groups.filter(({ roleArn }) => roleArn !== undefined);
  const highest = Math.min(...withRoles.map(({ precedence = Number.POSITIVE_INFINITY }) => precedence));
  const best = withRoles.filter(({ precedence = Number.POSITIVE_INFINITY }) => precedence === highest);
  const preferred = new Set(best.map(({ roleArn }) => roleArn));
  return {
    groups: groups.map(({ name }) => name),
    roles: [...new Set(withRoles.map(({ roleArn }) => roleArn!))],
    preferredRole: preferred.size === 1 ? [...preferred][0] : undefined,
  };
}

/** Returns the ID token claims for user attributes. */
export function attributeClaims(attributes: Readonly<Record<string, string>>): Claims {
  const claims: Claims = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'identities') claims.identities = JSON.parse(value);
    else if (name === 'email_verified' || name === 'phone_number_verified') claims[name] = value === 'true';
    else if (name === 'address') claims.address = { formatted: value };
    else if (name === 'updated_at') claims.updated_at = Number(value);
    else claims[name] = value;
  }
  return claims;
}

/** Returns the attributes that OAuth scopes allow in an ID token; all for a sign-in without OAuth. */
export function attributesOfScopes(
  attributes: Readonly<Record<string, string>>,
  scopes: readonly string[],
): Record<string, string> {
  if (scopes.includes(ADMIN_SCOPE) || scopes.includes('profile')) return { ...attributes };
  const allowed = new Set([
    ...(scopes.includes('email') ? ['email', 'email_verified'] : []),
    ...(scopes.includes('phone') ? ['phone_number', 'phone_number_verified'] : []),
  ]);
  // With openid alone, all attributes readable by the client.
  const only = scopes.includes('openid') && allowed.size === 0;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => only || allowed.has(name)));
}

/** Scope that allows a user's token to call Cognito's own operations. */
export const ADMIN_SCOPE = 'aws.cognito.signin.user.admin';

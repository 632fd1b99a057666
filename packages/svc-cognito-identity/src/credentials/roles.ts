import type { DeepReadonly } from '@emu/core/service';
import type { RoleMapping } from '@emu/service-types/cognito-identity';
import { badRoles, notAuthorized } from '../errors.ts';
import { textsOf } from '../logins/token.ts';
import type { VerifiedLogin } from '../logins/verify.ts';
import type { Pool } from '../records.ts';

type Rule = DeepReadonly<NonNullable<RoleMapping['RulesConfiguration']>['Rules'][number]>;

const refused = () => notAuthorized('No role can be chosen for the identity by the role mapping of its provider.');

/** Returns the setting for a login's provider, by its most specific name. */
export function mappingOf<Value>(table: Readonly<Record<string, Value>>, login: VerifiedLogin): Value | undefined {
  const key = login.mappingKeys.find((one) => Object.hasOwn(table, one));
  return key === undefined ? undefined : table[key];
}

function matches({ Claim, MatchType, Value }: Rule, { claims }: VerifiedLogin): boolean {
  const values = textsOf(claims[Claim]);
  switch (MatchType) {
    case 'Equals':
      return values.includes(Value);
    case 'NotEqual':
      return values.length > 0 && !values.includes(Value);
    case 'StartsWith':
      return values.some((one) => one.startsWith(Value));
    default:
      return values.some((one) => one.includes(Value));
  }
}

/**
 * Returns the role of an identity's credentials.
 * @param custom role in the request, which must be among those in the token
 * @throws AwsError `InvalidIdentityPoolConfigurationException`, `NotAuthorizedException`
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/role-based-access-control.html
 */
export function chooseRole(
  pool: Pool,
  logins: readonly VerifiedLogin[],
  isGuest: boolean,
  custom: string | undefined,
): string {
  if (isGuest) {
    if (custom !== undefined) throw refused();
    return pool.roles.unauthenticated ?? raise();
  }
  for (const login of logins) {
    const mapping = mappingOf(pool.roleMappings, login);
    if (mapping) return mappedRole(pool, mapping, login, custom);
  }
  if (custom !== undefined) throw refused();
  return pool.roles.authenticated ?? raise();
}

function raise(): never {
  throw badRoles();
}

function mappedRole(
  pool: Pool,
  mapping: DeepReadonly<RoleMapping>,
  login: VerifiedLogin,
  custom: string | undefined,
): string {
  if (mapping.Type === 'Token') {
    if (custom !== undefined) {
      if (login.roles.includes(custom)) return custom;
      throw refused();
    }
    const { preferredRole, roles } = login;
    const only = roles.length === 1 ? roles[0] : undefined;
    if (preferredRole ?? only) return (preferredRole ?? only)!;
  } else {
    if (custom !== undefined) throw refused();
    const rule = mapping.RulesConfiguration?.Rules.find((one) => matches(one, login));
    if (rule) return rule.RoleARN;
  }
  if (mapping.AmbiguousRoleResolution === 'Deny') throw refused();
  return pool.roles.authenticated ?? raise();
}

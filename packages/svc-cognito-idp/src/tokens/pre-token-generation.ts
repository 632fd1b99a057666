import { isObject } from '@emu/wire';
import { invalidLambdaResponse } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import type { User } from '../records.ts';
import { attributesFor, functionOf, trigger } from '../triggers/invoke.ts';
import type { Claims, GroupClaims } from './claims.ts';

/** Claims of tokens about to be issued. */
export interface Draft {
  access: Claims;
  id: Claims;
  groups: GroupClaims;
  scopes: readonly string[];
  source: string;
  metadata: Readonly<Record<string, string>> | undefined;
}

/** Claims of both tokens that functions cannot change. */
const FIXED = [
  'acr',
  'amr',
  'at_hash',
  'auth_time',
  'azp',
  'exp',
  'iat',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'origin_jti',
  'sub',
  'token_use',
];
const FIXED_IN_ID: ReadonlySet<string> = new Set([...FIXED, 'identities', 'aud', 'cognito:username']);
const FIXED_IN_ACCESS: ReadonlySet<string> = new Set([
  ...FIXED,
  'username',
  'client_id',
  'scope',
  'device_key',
  'event_id',
  'version',
]);
/** Prefixes of claims that functions can suppress, but not set. */
const RESERVED_PREFIXES = ['dev:', 'cognito:'];

interface Changes {
  claimsToAddOrOverride: Claims;
  claimsToSuppress: string[];
  scopesToAdd: string[];
  scopesToSuppress: string[];
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

function changesIn(value: unknown): Changes {
  const given = isObject(value) ? value : {};
  return {
    claimsToAddOrOverride: isObject(given.claimsToAddOrOverride) ? given.claimsToAddOrOverride : {},
    claimsToSuppress: strings(given.claimsToSuppress),
    scopesToAdd: strings(given.scopesToAdd),
    scopesToSuppress: strings(given.scopesToSuppress),
  };
}

/**
 * Invokes the pool's function that changes claims, with the configured event version.
 * @param user undefined for a client's own token, which only version 3 functions can change
 * @throws AwsError of the function
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
export async function changeTokens(
  { state, pool, client }: LocatedClient,
  user: User | undefined,
  draft: Draft,
): Promise<void> {
  const functionArn = functionOf(pool, 'PreTokenGeneration');
  if (functionArn === undefined) return;
  const { LambdaVersion = 'V1_0' } = pool.settings.LambdaConfig?.PreTokenGenerationConfig ?? {};
  const version = LambdaVersion.slice(1, 2);
  if (!user && version !== '3') return;
  const { groups, scopes, source, metadata } = draft;
  const record = (more: {
    claimsToAddOrOverride?: Claims;
    claimsToSuppress?: string[];
    groupsToOverride?: string[];
    error?: string;
  }) =>
    state.journal.preTokenGenerations.add({
      accountId: state.accountId,
      region: state.region,
      userPoolId: pool.id,
      username: user?.username ?? '',
      functionArn,
      triggerSource: source,
      version,
      claimsToAddOrOverride: {},
      claimsToSuppress: [],
      groupsToOverride: [],
      timestamp: new Date(state.clock.now()).toISOString(),
      ...more,
    });
  try {
    const response = await trigger(state, pool, 'PreTokenGeneration', {
      source,
      version,
      userName: user?.username,
      clientId: client.id,
      request: {
        userAttributes: user ? attributesFor(user) : {},
        groupConfiguration: {
          groupsToOverride: groups.groups,
          iamRolesToOverride: groups.roles,
          preferredRole: groups.preferredRole ?? null,
        },
        ...(version !== '1' && { scopes }),
        ...(metadata && { clientMetadata: metadata }),
      },
      response: version === '1' ? { claimsOverrideDetails: null } : { claimsAndScopeOverrideDetails: null },
    });
    const details = response?.[version === '1' ? 'claimsOverrideDetails' : 'claimsAndScopeOverrideDetails'];
    if (details === null || details === undefined) {
      record({});
      return;
    }
    if (!isObject(details)) throw invalidLambdaResponse('Unrecognizable lambda output');
    const forId = changesIn(version === '1' ? details : details.idTokenGeneration);
    const forAccess = changesIn(version === '1' ? {} : details.accessTokenGeneration);
    const override = isObject(details.groupOverrideDetails) ? details.groupOverrideDetails : undefined;
    apply(draft.id, forId, FIXED_IN_ID);
    apply(draft.access, withOwnAudience(forAccess, client.id), FIXED_IN_ACCESS);
    if (override) overrideGroups(draft, override);
    if (version !== '1') changeScopes(draft, forAccess);
    record({
      claimsToAddOrOverride: { ...forId.claimsToAddOrOverride, ...forAccess.claimsToAddOrOverride },
      claimsToSuppress: [...forId.claimsToSuppress, ...forAccess.claimsToSuppress],
      groupsToOverride: strings(override?.groupsToOverride),
    });
  } catch (error) {
    record({ error: (error as Error).message });
    throw error;
  }
}

function apply(claims: Claims, { claimsToAddOrOverride, claimsToSuppress }: Changes, fixed: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(claimsToAddOrOverride))
    if (!fixed.has(name) && !RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))) claims[name] = value;
  for (const name of claimsToSuppress) if (!fixed.has(name)) delete claims[name];
}

/** Returns changes of an access token without an audience other than the app client. */
function withOwnAudience(changes: Changes, clientId: string): Changes {
  const { aud, ...others } = changes.claimsToAddOrOverride;
  return aud === clientId ? changes : { ...changes, claimsToAddOrOverride: others };
}

function overrideGroups({ access, id }: Draft, details: Record<string, unknown>): void {
  const groups = strings(details.groupsToOverride);
  for (const claims of [access, id]) {
    if (groups.length) claims['cognito:groups'] = groups;
    else if (details.groupsToOverride) delete claims['cognito:groups'];
  }
  const roles = strings(details.iamRolesToOverride);
  if (roles.length) id['cognito:roles'] = roles;
  if (typeof details.preferredRole === 'string') id['cognito:preferred_role'] = details.preferredRole;
}

function changeScopes({ access, scopes }: Draft, { scopesToAdd, scopesToSuppress }: Changes): void {
  const left = scopes.filter((scope) => !scopesToSuppress.includes(scope));
  access.scope = [...new Set([...left, ...scopesToAdd])].join(' ');
}

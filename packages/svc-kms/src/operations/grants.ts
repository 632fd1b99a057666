import { parseArn, rootOf } from '@emu/core/service';
import type { CreateGrantRequest, GrantConstraints, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError, notFound } from '../errors.ts';
import {
  describeGrant,
  formatGrantToken,
  grantableOperations,
  grantOfToken,
  requireGrantTokens,
  sameGrant,
} from '../keys/grants.ts';
import { endDryRun, findKey, requireEnabled } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { GrantRecord } from '../records.ts';

/** Operations with an encryption context, to which constraints apply, and `RetireGrant` and `DescribeKey`. */
const UNCONSTRAINED = new Set(['GetPublicKey', 'Sign', 'Verify', 'GenerateMac', 'VerifyMac', 'DeriveSharedSecret']);

function checkPrincipal(principal: string): void {
  const arn = parseArn(principal);
  const named = arn && ['iam', 'sts'].includes(arn.service) && /^\d{12}$/.test(arn.accountId);
  const service = /^[a-z0-9.-]+\.amazonaws\.com(?:\.cn)?$/.test(principal);
  if (!named && !service && !/^\d{12}$/.test(principal))
    throw kmsError('InvalidArnException', `ARN does not refer to a valid principal: ${principal}`);
}

function checkConstraints({ Operations }: CreateGrantRequest, constraints: GrantConstraints, spec: string): void {
  if (!constraints.EncryptionContextEquals && !constraints.EncryptionContextSubset) return;
  if (spec !== 'SYMMETRIC_DEFAULT' || Operations.some((operation) => UNCONSTRAINED.has(operation)))
    throw invalid('Encryption context constraints are only valid for operations of symmetric encryption keys.');
}

/** Grants a principal operations on a key. A repeated request with the same name returns the first grant. */
export async function CreateGrant(input: InputOf<'CreateGrant'>, ctx: KmsContext): Promise<OutputOf<'CreateGrant'>> {
  const target = await findKey(input.KeyId, ctx);
  const { state, key } = target;
  requireGrantTokens(input.GrantTokens, state);
  requireEnabled(target);
  for (const principal of [input.GranteePrincipal, input.RetiringPrincipal])
    if (principal !== undefined) checkPrincipal(principal);
  const possible = grantableOperations(key);
  const impossible = input.Operations.find((operation) => !possible.includes(operation));
  if (impossible)
    throw invalid(`Operation ${impossible} is not valid for a key with key spec ${key.spec} and usage ${key.usage}.`);
  const constraints = input.Constraints ?? {};
  checkConstraints(input, constraints, key.spec);
  endDryRun(input);
  const { EncryptionContextSubset: subset, EncryptionContextEquals: equals } = constraints;
  const record: GrantRecord = {
    id: ctx.ids.hex(64),
    keyId: key.id,
    ...(input.Name !== undefined && { name: input.Name }),
    granteePrincipal: input.GranteePrincipal,
    ...(input.RetiringPrincipal !== undefined && { retiringPrincipal: input.RetiringPrincipal }),
    issuingAccount: rootOf(ctx.accountId, ctx.region).arn,
    operations: [...new Set(input.Operations)],
    ...(subset && { encryptionContextSubset: subset }),
    ...(equals && { encryptionContextEquals: equals }),
    createdAt: ctx.clock.now(),
  };
  // A grant with a name is created once even if its request is repeated.
  const existing =
    input.Name === undefined ? undefined : state.grantsOf(key.id).find((grant) => sameGrant(grant, record));
  const grant = existing ?? state.addGrant(record);
  return { GrantId: grant.id, GrantToken: formatGrantToken(grant, state) };
}

/** Lists the grants of a key, all or by id or grantee. */
export async function ListGrants(input: InputOf<'ListGrants'>, ctx: KmsContext): Promise<OutputOf<'ListGrants'>> {
  const target = await findKey(input.KeyId, ctx);
  const { state, key } = target;
  if (key.deletion) requireEnabled(target);
  const grants = state
    .grantsOf(key.id)
    .filter(({ id }) => input.GrantId === undefined || id === input.GrantId)
    .filter((grant) => input.GranteePrincipal === undefined || grant.granteePrincipal === input.GranteePrincipal);
  if (input.GrantId !== undefined && !grants.length) throw notFound(`Grant ID ${input.GrantId} not found`);
  return paging
    .page('ListGrants', input, grants, ({ id }) => id, { defaultLimit: 50 })
    .list((grant) => describeGrant(grant, state));
}

/** Lists the grants that a principal can retire. */
export function ListRetirableGrants(
  input: InputOf<'ListRetirableGrants'>,
  { state }: KmsContext,
): OutputOf<'ListRetirableGrants'> {
  checkPrincipal(input.RetiringPrincipal);
  const grants = [...state.grants.values()].filter((grant) => grant.retiringPrincipal === input.RetiringPrincipal);
  return paging
    .page('ListRetirableGrants', input, grants, ({ id }) => id, { defaultLimit: 50 })
    .list((grant) => describeGrant(grant, state));
}

/** Revokes a grant on behalf of the key owner. */
export async function RevokeGrant(input: InputOf<'RevokeGrant'>, ctx: KmsContext) {
  const { state, key } = await findKey(input.KeyId, ctx);
  if (state.grants.get(input.GrantId)?.keyId !== key.id) throw notFound(`Grant ID ${input.GrantId} not found`);
  endDryRun(input);
  state.removeGrant(input.GrantId);
  return {};
}

/** Retires a grant by token or by key and id, on behalf of its grantee or retiring principal. */
export async function RetireGrant(input: InputOf<'RetireGrant'>, ctx: KmsContext) {
  const { GrantToken, KeyId, GrantId } = input;
  if (GrantToken !== undefined) {
    if (KeyId !== undefined || GrantId !== undefined)
      throw invalid('Specify either a grant token, or a key ID and a grant ID.');
    const { grant, state } = grantOfToken(GrantToken, ctx);
    endDryRun(input);
    state.removeGrant(grant.id);
    return {};
  }
  if (KeyId === undefined || GrantId === undefined)
    throw invalid('Specify either a grant token, or a key ID and a grant ID.');
  const { state, key } = await findKey(KeyId, ctx);
  if (state.grants.get(GrantId)?.keyId !== key.id) throw notFound(`Grant ID ${GrantId} not found`);
  endDryRun(input);
  state.removeGrant(GrantId);
  return {};
}

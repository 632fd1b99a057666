import { parseArn } from '@emu/core/service';
import type { ListEntitiesForPolicyRequest } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { type PrincipalKind, requireModifiable, requirePrincipal, updatePrincipal } from '../entities/principals.ts';
import { noSuchEntity } from '../errors.ts';
import { type PagedInput, type PagedLike, paging } from '../paging.ts';
import { policyType } from '../resources.ts';
import type { IamState } from '../state.ts';
import { describeAttached } from './describe.ts';
import { checkPolicyArn, requireAttachable } from './managed.ts';

/**
 * Attaches a managed policy; idempotent.
 * @throws AwsError `NoSuchEntity`, `UnmodifiableEntity`
 */
export async function attach(ctx: IamContext, kind: PrincipalKind, owner: string, arn: string): Promise<void> {
  requireModifiable(ctx.state, kind, owner);
  await requireAttachable(ctx, arn);
  const { attachedPolicies } = requireModifiable(ctx.state, kind, owner);
  if (attachedPolicies.includes(arn)) return;
  updatePrincipal(ctx.state, kind, owner, (draft) => draft.attachedPolicies.push(arn));
}

/**
 * Detaches a managed policy.
 * @throws AwsError `NoSuchEntity` if the policy is not attached, `UnmodifiableEntity`
 */
export function detach(ctx: IamContext, kind: PrincipalKind, owner: string, arn: string): void {
  const { attachedPolicies } = requireModifiable(ctx.state, kind, owner);
  checkPolicyArn(arn);
  if (!attachedPolicies.includes(arn)) throw noSuchEntity(`Policy ${arn} was not found.`);
  updatePrincipal(ctx.state, kind, owner, (draft) => {
    draft.attachedPolicies = draft.attachedPolicies.filter((one) => one !== arn);
  });
}

const pathOf = (arn: string): string => policyType.parse(arn)?.key.path ?? '/';

/** Returns a page key that sorts managed policies by name, then by owner; paths may be longer than a marker. */
export const pageKeyOf = (arn: string): string =>
  `${arn.slice(arn.lastIndexOf('/') + 1).toLowerCase()} ${parseArn(arn)?.accountId}`;

/**
 * Returns one page of attached policies of a path.
 * @throws AwsError `NoSuchEntity`
 */
export function listAttached(
  operation: PagedLike<`ListAttached${string}Policies`>,
  ctx: IamContext,
  kind: PrincipalKind,
  owner: string,
  request: PagedInput & { PathPrefix?: string | undefined },
) {
  const { attachedPolicies } = requirePrincipal(ctx.state, kind, owner);
  const { PathPrefix: prefix = '/' } = request;
  const wanted = attachedPolicies.filter((arn) => pathOf(arn).startsWith(prefix));
  const { items, next } = paging.page(operation, request, wanted, pageKeyOf);
  return { AttachedPolicies: describeAttached(items), ...next };
}

/** A user, group or role that uses a policy. */
export interface PolicyEntity {
  kind: PrincipalKind;
  name: string;
  id: string;
}

/**
 * Returns the entities that a managed policy is attached to or that have it as boundary, filtered by a list request.
 */
export function entitiesOf(
  state: IamState,
  {
    PolicyArn: arn,
    EntityFilter: filter,
    PathPrefix: prefix = '/',
    PolicyUsageFilter: usage,
  }: ListEntitiesForPolicyRequest,
): PolicyEntity[] {
  const kinds = [
    { kind: 'group', wanted: 'Group', records: state.groups.values() },
    { kind: 'user', wanted: 'User', records: state.users.values() },
    { kind: 'role', wanted: 'Role', records: state.roles.values() },
  ] as const;
  const found: PolicyEntity[] = [];
  for (const { kind, wanted, records } of kinds) {
    if (filter !== undefined && filter !== wanted) continue;
    for (const record of records) {
      const attached = usage !== 'PermissionsBoundary' && record.attachedPolicies.includes(arn);
      const limits = usage !== 'PermissionsPolicy' && 'boundary' in record && record.boundary === arn;
      if ((attached || limits) && record.path.startsWith(prefix))
        found.push({ kind, name: record.name, id: record.id });
    }
  }
  return found;
}

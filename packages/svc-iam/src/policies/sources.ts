import type { AttachedPolicy, DeepReadonly } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { findGroup, findRole, findUser } from '../entities/lookup.ts';
import type { PrincipalKind } from '../entities/principals.ts';
import { noSuchEntity } from '../errors.ts';
import type { PrincipalRecord } from '../records.ts';
import { groupType, roleType, userType } from '../resources.ts';
import type { IamState, Role, User } from '../state.ts';
import { type AnyPolicy, documentOf, findPolicy, isAwsPolicy } from './managed.ts';

type Holder = DeepReadonly<PrincipalRecord>;

/** A user, group or role by its ARN. */
export interface PolicyEntity {
  kind: PrincipalKind;
  record: Holder;
}

/** A policy with the entity that it is attached to. */
export interface SourcedPolicy extends AttachedPolicy {
  readonly holder: PolicyEntity;
}

const ENTITIES = [
  { kind: 'user', type: userType, find: findUser },
  { kind: 'group', type: groupType, find: findGroup },
  { kind: 'role', type: roleType, find: findRole },
] as const;

/** Returns the user, group or role of an ARN; undefined if unknown. */
export function findEntity(state: IamState, arn: string): PolicyEntity | undefined {
  for (const { kind, type, find } of ENTITIES) {
    const address = type.parse(arn);
    const record = address && find(state, address.key.name);
    if (record?.arn === arn) return { kind, record };
  }
  return undefined;
}

/**
 * Returns the user, group or role of an ARN.
 * @throws AwsError `NoSuchEntity`
 */
export function requireEntity(state: IamState, arn: string): PolicyEntity {
  const entity = findEntity(state, arn);
  if (!entity) throw noSuchEntity(`The entity with ARN ${arn} cannot be found.`);
  return entity;
}

/** Returns the policies that grant permissions to a user, group or role, including those of a user's groups. */
export async function policiesOf(ctx: IamContext, entity: PolicyEntity): Promise<SourcedPolicy[]> {
  const holders = [entity];
  if (entity.kind === 'user')
    for (const key of (entity.record as User).groups) {
      const record = ctx.state.groups.get(key);
      if (record) holders.push({ kind: 'group', record });
    }
  const found: SourcedPolicy[] = [];
  for (const holder of holders) {
    const { inlinePolicies, attachedPolicies } = holder.record;
    for (const { name, document } of inlinePolicies) found.push({ id: name, type: holder.kind, document, holder });
    for (const arn of attachedPolicies) {
      const policy = await attachedPolicy(ctx, arn);
      if (policy) found.push({ ...policy, holder });
    }
  }
  return found;
}

/** Returns the permissions boundary of a user or role; a deleted one allows nothing. Undefined if there is none. */
export async function boundaryOf(ctx: IamContext, { kind, record }: PolicyEntity): Promise<AttachedPolicy | undefined> {
  const arn = kind === 'group' ? undefined : (record as User | Role).boundary;
  return arn === undefined ? undefined : ((await attachedPolicy(ctx, arn)) ?? { id: arn, document: '{}' });
}

async function attachedPolicy(ctx: IamContext, arn: string): Promise<AttachedPolicy | undefined> {
  const policy: AnyPolicy | undefined = await findPolicy(ctx.state, arn);
  if (!policy) return undefined;
  const type = isAwsPolicy(arn) ? 'aws-managed' : 'user-managed';
  return { id: policy.name, arn, type, document: documentOf(policy) };
}

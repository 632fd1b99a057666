import type { IamContext } from '../context.ts';
import { keyOf } from '../entities/lookup.ts';
import { noSuchEntity } from '../errors.ts';
import { entitiesOf } from '../policies/attachments.ts';
import { checkPolicyArn, documentOf, findPolicy } from '../policies/managed.ts';
import { findEntity, type PolicyEntity, policiesOf } from '../policies/sources.ts';
import type { IamState, User } from '../state.ts';
import type { EntityAccess } from './records.ts';
import { namespacesAllowed } from './service-grants.ts';

/** Namespaces of services that sign with another name. */
const NAMESPACES: Readonly<Record<string, string>> = { monitoring: 'cloudwatch', tagging: 'tag' };

/** Access advisor data of a user, group, role or policy. */
export interface ServiceAccess {
  /** Namespaces of the services that its policies allow. */
  namespaces: string[];
  /** Users and roles with its permissions. */
  entities: EntityAccess[];
}

/**
 * Returns the services that an entity may use, with their last use.
 * @param arn of a user, group, role or managed policy
 * @throws AwsError `NoSuchEntity`, `ValidationError`
 */
export async function serviceAccessOf(ctx: IamContext, arn: string): Promise<ServiceAccess> {
  if (arn.includes(':policy/')) return accessByPolicy(ctx, arn);
  const entity = findEntity(ctx.state, arn);
  if (!entity) throw noSuchEntity(`The entity with ARN ${arn} cannot be found.`);
  const documents = (await policiesOf(ctx, entity)).map(({ document }) => document);
  const entities = entity.kind === 'group' ? membersOf(ctx.state, entity) : [entity];
  return { namespaces: namespacesAllowed(documents), entities: entities.map((one) => accessOf(ctx, one)) };
}

async function accessByPolicy(ctx: IamContext, arn: string): Promise<ServiceAccess> {
  checkPolicyArn(arn);
  const policy = await findPolicy(ctx.state, arn);
  if (!policy) throw noSuchEntity(`Policy ${arn} was not found.`);
  const found = new Map<string, PolicyEntity>();
  for (const { kind, name } of entitiesOf(ctx.state, { PolicyArn: arn, PolicyUsageFilter: 'PermissionsPolicy' })) {
    const { users, groups, roles } = ctx.state;
    const record = { user: users, group: groups, role: roles }[kind].get(keyOf(name))!;
    const entity = { kind, record };
    for (const one of kind === 'group' ? membersOf(ctx.state, entity) : [entity]) found.set(one.record.arn, one);
  }
  return {
    namespaces: namespacesAllowed([documentOf(policy)]),
    entities: [...found.values()].map((one) => accessOf(ctx, one)),
  };
}

/** Returns the users of a group. */
function membersOf({ users }: IamState, { record: { name } }: PolicyEntity): PolicyEntity[] {
  const found: User[] = [...users.values()].filter(({ groups }) => groups.includes(keyOf(name)));
  return found.map((record) => ({ kind: 'user', record }));
}

/** Returns the last uses of a user or role by namespace. */
function accessOf(ctx: IamContext, { kind, record: { arn, name, id, path } }: PolicyEntity): EntityAccess {
  const services: EntityAccess['services'] = {};
  for (const { service, at, region } of ctx.credentials.lastUses(kind === 'role' ? arn : id)) {
    const namespace = Object.hasOwn(NAMESPACES, service) ? NAMESPACES[service]! : service;
    services[namespace] = { at: Math.floor(at / 1000) * 1000, region };
  }
  return { arn, name, id, path, type: kind === 'role' ? 'ROLE' : 'USER', services };
}

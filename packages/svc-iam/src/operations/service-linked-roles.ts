import type { InputOf, OutputOf, RoleUsageType } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { describeRole } from '../entities/describe.ts';
import { keyOf, nowOf, requireRole } from '../entities/lookup.ts';
import { usageOf } from '../entities/role-usage.ts';
import { serviceLinkedRoleName, serviceLinkedRoleTemplate } from '../entities/service-linked-roles.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { invalidInput, noSuchEntity } from '../errors.ts';
import { retirePrincipal } from '../policies/trusted-principals.ts';
import { awsManaged, policyType, roleType } from '../resources.ts';

const SESSION_DURATION = 3600;
/** Maximum number of stored deletion tasks. */
const MAX_TASKS = 1000;

/**
 * Creates the role of a service, which defines its name, trust policy and permissions.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateServiceLinkedRole.html
 */
export function CreateServiceLinkedRole(
  input: InputOf<'CreateServiceLinkedRole'>,
  ctx: IamContext,
): OutputOf<'CreateServiceLinkedRole'> {
  const { AWSServiceName: service, CustomSuffix: suffix, Description: description } = input;
  const template = serviceLinkedRoleTemplate(service);
  if (!template) throw noSuchEntity(`Service-linked role template for ${service} cannot be found.`);
  const [, policy, options] = template;
  if (suffix !== undefined && !options?.suffix) throw invalidInput(`Custom suffix is not allowed for ${service}`);
  const name = serviceLinkedRoleName(service, suffix)!;
  const { roles } = ctx.state;
  if (roles.has(keyOf(name)))
    throw invalidInput(`Service role name ${name} has been taken in this account, please try a different suffix.`);
  const path = `/aws-service-role/${service}/`;
  const role = roles.put(keyOf(name), {
    name,
    id: uniqueId('AROA', ctx.ids),
    path,
    arn: roleType.arn({ path, name }, ctx),
    createdAt: nowOf(ctx),
    inlinePolicies: [],
    attachedPolicies: [policyType.arn({ path: '/aws-service-role/', name: policy }, awsManaged(ctx.region))],
    tags: [],
    trustPolicy: trustPolicyOf(service),
    maxSessionDuration: SESSION_DURATION,
    linkedService: service,
    ...(description !== undefined && { description }),
  });
  return { Role: describeRole(role) };
}

/**
 * Deletes the role of a service, unless resources of the service use it.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteServiceLinkedRole.html
 */
export async function DeleteServiceLinkedRole(
  input: InputOf<'DeleteServiceLinkedRole'>,
  ctx: IamContext,
): Promise<OutputOf<'DeleteServiceLinkedRole'>> {
  const { roles, deletionTasks } = ctx.state;
  const role = requireRole(ctx.state, input.RoleName);
  if (role.linkedService === undefined) throw noSuchEntity(`The role with name ${role.name} cannot be found.`);
  const id = `task${role.path}${role.name}/${ctx.ids.uuid()}`;
  const usage = await usageOf(role.linkedService, ctx);
  if (usage.length > 0) deletionTasks.put(id, { id, roleName: role.name, status: 'FAILED', usage });
  else {
    roles.delete(keyOf(role.name));
    ctx.credentials.discardUse(role.arn);
    retirePrincipal(role, ctx);
    deletionTasks.put(id, { id, roleName: role.name, status: 'SUCCEEDED' });
  }
  if (deletionTasks.size > MAX_TASKS) deletionTasks.delete(deletionTasks.keys().next().value!);
  return { DeletionTaskId: id };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetServiceLinkedRoleDeletionStatus.html */
export function GetServiceLinkedRoleDeletionStatus(
  input: InputOf<'GetServiceLinkedRoleDeletionStatus'>,
  ctx: IamContext,
): OutputOf<'GetServiceLinkedRoleDeletionStatus'> {
  const task = ctx.state.deletionTasks.get(input.DeletionTaskId);
  if (!task) throw noSuchEntity(`The deletion task with ID ${input.DeletionTaskId} cannot be found.`);
  const RoleUsageList = task.usage?.map((used) => structuredClone(used) as RoleUsageType);
  return {
    Status: task.status,
    ...(RoleUsageList && { Reason: { Reason: 'The role is used by resources of its service.', RoleUsageList } }),
  };
}

const trustPolicyOf = (service: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  });

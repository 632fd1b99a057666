import type {
  EntityType,
  GroupDetail,
  InputOf,
  ManagedPolicyDetail,
  OutputOf,
  RoleDetail,
  UserDetail,
} from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import {
  boundaryMember,
  describeInstanceProfile,
  describeRole,
  describeUser,
  lastUseOf,
} from '../entities/describe.ts';
import { keyOf } from '../entities/lookup.ts';
import { paging } from '../paging.ts';
import { describeAttached, describeInline, describePolicy, describeVersionFully } from '../policies/describe.ts';
import { type AnyPolicy, findPolicy, isAwsPolicy } from '../policies/managed.ts';
import { UNUSED, type Usage, usageOfPolicies } from '../policies/usage.ts';
import type { Group, IamState, Role, User } from '../state.ts';
import { tagsMember } from '../tags.ts';

/** An entity of the account; kinds are in the order of the response. */
type Entity =
  | { kind: 1; key: string; user: User }
  | { kind: 2; key: string; group: Group }
  | { kind: 3; key: string; role: Role }
  | { kind: 4; key: string; arn: string };

/**
 * Lists all users, groups, roles and used managed policies with their details.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountAuthorizationDetails.html
 */
export async function GetAccountAuthorizationDetails(
  input: InputOf<'GetAccountAuthorizationDetails'>,
  ctx: IamContext,
): Promise<OutputOf<'GetAccountAuthorizationDetails'>> {
  const { state } = ctx;
  const usage = usageOfPolicies(state);
  const { items, next } = paging.page(
    'GetAccountAuthorizationDetails',
    input,
    entitiesOf(state, usage, input.Filter),
    ({ kind, key }) => `${kind} ${key}`,
  );
  const answer = {
    UserDetailList: [] as UserDetail[],
    GroupDetailList: [] as GroupDetail[],
    RoleDetailList: [] as RoleDetail[],
    Policies: [] as ManagedPolicyDetail[],
  };
  for (const entity of items) {
    if (entity.kind === 1) answer.UserDetailList.push(userDetail(entity.user, state));
    else if (entity.kind === 2) answer.GroupDetailList.push(groupDetail(entity.group));
    else if (entity.kind === 3) answer.RoleDetailList.push(roleDetail(entity.role, ctx));
    else {
      const policy = await findPolicy(state, entity.arn);
      if (policy) answer.Policies.push(policyDetail(policy, usage.get(entity.arn) ?? UNUSED, entity.arn));
    }
  }
  return { ...answer, ...next };
}

function* entitiesOf(
  state: IamState,
  usage: ReadonlyMap<string, Usage>,
  filter: readonly EntityType[] | undefined,
): Iterable<Entity> {
  const wants = (type: EntityType): boolean => !filter?.length || filter.includes(type);
  if (wants('User')) for (const user of state.users.values()) yield { kind: 1, key: keyOf(user.name), user };
  if (wants('Group')) for (const group of state.groups.values()) yield { kind: 2, key: keyOf(group.name), group };
  if (wants('Role')) for (const role of state.roles.values()) yield { kind: 3, key: keyOf(role.name), role };
  if (wants('LocalManagedPolicy')) for (const { arn } of state.policies.values()) yield { kind: 4, key: arn, arn };
  if (wants('AWSManagedPolicy')) for (const arn of usage.keys()) if (isAwsPolicy(arn)) yield { kind: 4, key: arn, arn };
}

function userDetail(user: User, state: IamState): UserDetail {
  const inline = describeInline(user);
  return {
    ...describeUser(user),
    ...(inline.length && { UserPolicyList: inline }),
    GroupList: user.groups.flatMap((key) => state.groups.get(key)?.name ?? []),
    AttachedManagedPolicies: describeAttached(user.attachedPolicies),
    ...boundaryMember(user.boundary),
    ...tagsMember(user.tags),
  };
}

const groupDetail = (group: Group): GroupDetail => ({
  Path: group.path,
  GroupName: group.name,
  GroupId: group.id,
  Arn: group.arn,
  CreateDate: new Date(group.createdAt),
  GroupPolicyList: describeInline(group),
  AttachedManagedPolicies: describeAttached(group.attachedPolicies),
});

function roleDetail(role: Role, { state, credentials }: IamContext): RoleDetail {
  const { Description: _, ...described } = describeRole(role);
  const profiles = [...state.instanceProfiles.values()].filter((profile) => profile.role === keyOf(role.name));
  return {
    ...described,
    InstanceProfileList: profiles.map((profile) => describeInstanceProfile(profile, state)),
    RolePolicyList: describeInline(role),
    AttachedManagedPolicies: describeAttached(role.attachedPolicies),
    ...boundaryMember(role.boundary),
    ...tagsMember(role.tags),
    RoleLastUsed: lastUseOf(role, credentials),
  };
}

const policyDetail = (policy: AnyPolicy, usage: Usage, arn: string): ManagedPolicyDetail => ({
  ...describePolicy(policy, usage, arn),
  ...(policy.description !== undefined && { Description: policy.description }),
  PolicyVersionList: policy.versions.map((version) => describeVersionFully(version, policy)),
});

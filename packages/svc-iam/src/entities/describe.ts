import type { CredentialRegistry } from '@emu/core/service';
import type {
  AttachedPermissionsBoundary,
  Group as GroupType,
  InstanceProfile as InstanceProfileType,
  RoleLastUsed,
  Role as RoleType,
  User as UserType,
} from '@emu/service-types/iam';
import { encodeDocument } from '../document-encoding.ts';
import type { Group, IamState, InstanceProfile, Role, User } from '../state.ts';
import { tagsMember } from '../tags.ts';

/** Returns a user as in lists. */
export function describeUser(user: User): UserType {
  return {
    Path: user.path,
    UserName: user.name,
    UserId: user.id,
    Arn: user.arn,
    CreateDate: new Date(user.createdAt),
  };
}

/** Returns a user with the members that lists omit. */
export function describeUserFully(user: User): UserType {
  return { ...describeUser(user), ...boundaryMember(user.boundary), ...tagsMember(user.tags) };
}

export function describeGroup(group: Group): GroupType {
  return {
    Path: group.path,
    GroupName: group.name,
    GroupId: group.id,
    Arn: group.arn,
    CreateDate: new Date(group.createdAt),
  };
}

/** Returns a role as in CreateRole and instance profiles. */
export function describeRole(role: Role): RoleType {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: new Date(role.createdAt),
    AssumeRolePolicyDocument: encodeDocument(role.trustPolicy),
    ...(role.description !== undefined && { Description: role.description }),
  };
}

/** Returns a role as in lists. */
export const describeListedRole = (role: Role): RoleType => ({
  ...describeRole(role),
  MaxSessionDuration: role.maxSessionDuration,
});

/** Returns a role with the members that lists omit. */
export function describeRoleFully(role: Role, credentials: CredentialRegistry): RoleType {
  return {
    ...describeListedRole(role),
    ...boundaryMember(role.boundary),
    ...tagsMember(role.tags),
    RoleLastUsed: lastUseOf(role, credentials),
  };
}

/** Returns the last request of a role's sessions. */
export function lastUseOf(role: Role, credentials: CredentialRegistry): RoleLastUsed {
  const use = credentials.lastUse(role.arn);
  return use ? { LastUsedDate: new Date(Math.floor(use.at / 1000) * 1000), Region: use.region } : {};
}

/** Returns an instance profile with its role. */
export function describeInstanceProfile(profile: InstanceProfile, state: IamState): InstanceProfileType {
  const role = profile.role === undefined ? undefined : state.roles.get(profile.role);
  return {
    Path: profile.path,
    InstanceProfileName: profile.name,
    InstanceProfileId: profile.id,
    Arn: profile.arn,
    CreateDate: new Date(profile.createdAt),
    Roles: role ? [describeRole(role)] : [],
  };
}

/** Returns the `PermissionsBoundary` member of a response, omitted if there is none. */
export const boundaryMember = (arn: string | undefined): { PermissionsBoundary?: AttachedPermissionsBoundary } =>
  arn === undefined ? {} : { PermissionsBoundary: { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: arn } };

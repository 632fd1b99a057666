import { copyOf } from '@emu/core/service';
import type { InputOf, OutputOf, RoleMapping } from '@emu/service-types/cognito-identity';
import type { CognitoIdentityContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import type { TagMapping } from '../records.ts';
import { roleType } from '../resources.ts';

function checkRole(arn: string): void {
  if (!roleType.parse(arn)) throw invalidParameter(`Invalid ARN of a role: ${arn}`);
}

function checkMapping({ Type, AmbiguousRoleResolution, RulesConfiguration }: RoleMapping): void {
  if (AmbiguousRoleResolution === undefined)
    throw invalidParameter('AmbiguousRoleResolution is required where role mappings are of type Token or Rules.');
  if ((Type === 'Rules') !== (RulesConfiguration !== undefined))
    throw invalidParameter('RulesConfiguration goes with role mappings of type Rules, and only with these.');
  for (const { RoleARN } of RulesConfiguration?.Rules ?? []) checkRole(RoleARN);
}

export function SetIdentityPoolRoles(
  { IdentityPoolId, Roles, RoleMappings = {} }: InputOf<'SetIdentityPoolRoles'>,
  ctx: CognitoIdentityContext,
): OutputOf<'SetIdentityPoolRoles'> {
  const { id } = poolOf(IdentityPoolId, ctx);
  Object.values(Roles).forEach(checkRole);
  Object.values(RoleMappings).forEach(checkMapping);
  ctx.state.pools.update(id, (draft) => {
    draft.roles = { ...Roles };
    draft.roleMappings = copyOf(RoleMappings);
  });
  return {};
}

export function GetIdentityPoolRoles(
  { IdentityPoolId }: InputOf<'GetIdentityPoolRoles'>,
  ctx: CognitoIdentityContext,
): OutputOf<'GetIdentityPoolRoles'> {
  const { roles, roleMappings } = poolOf(IdentityPoolId, ctx);
  return {
    IdentityPoolId,
    Roles: { ...roles },
    ...(Object.keys(roleMappings).length && { RoleMappings: copyOf(roleMappings) }),
  };
}

type TagMappingAnswer = OutputOf<'GetPrincipalTagAttributeMap'>;

const answer = (
  IdentityPoolId: string,
  IdentityProviderName: string,
  mapping: Readonly<TagMapping> | undefined,
): TagMappingAnswer => ({
  IdentityPoolId,
  IdentityProviderName,
  UseDefaults: mapping?.useDefaults ?? false,
  PrincipalTags: { ...mapping?.tags },
});

export function SetPrincipalTagAttributeMap(
  input: InputOf<'SetPrincipalTagAttributeMap'>,
  ctx: CognitoIdentityContext,
): OutputOf<'SetPrincipalTagAttributeMap'> {
  const { IdentityPoolId, IdentityProviderName, UseDefaults = false, PrincipalTags = {} } = input;
  const { id } = poolOf(IdentityPoolId, ctx);
  const mapping: TagMapping = { useDefaults: UseDefaults, tags: UseDefaults ? {} : { ...PrincipalTags } };
  ctx.state.pools.update(id, (draft) => {
    draft.tagMappings[IdentityProviderName] = mapping;
  });
  return answer(id, IdentityProviderName, mapping);
}

export function GetPrincipalTagAttributeMap(
  { IdentityPoolId, IdentityProviderName }: InputOf<'GetPrincipalTagAttributeMap'>,
  ctx: CognitoIdentityContext,
): OutputOf<'GetPrincipalTagAttributeMap'> {
  const { id, tagMappings } = poolOf(IdentityPoolId, ctx);
  const mapping = Object.hasOwn(tagMappings, IdentityProviderName) ? tagMappings[IdentityProviderName] : undefined;
  return answer(id, IdentityProviderName, mapping);
}

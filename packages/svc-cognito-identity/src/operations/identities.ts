import type { IdentityDescription, InputOf, OutputOf } from '@emu/service-types/cognito-identity';
import type { CognitoIdentityContext } from '../context.ts';
import { identityOf, poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Identity } from '../records.ts';

const describe = ({ id, logins, createdAt, updatedAt }: Identity): IdentityDescription => ({
  IdentityId: id,
  Logins: [...new Set(logins.map(({ provider }) => provider))],
  CreationDate: new Date(createdAt),
  LastModifiedDate: new Date(updatedAt),
});

export function DescribeIdentity(
  { IdentityId }: InputOf<'DescribeIdentity'>,
  ctx: CognitoIdentityContext,
): OutputOf<'DescribeIdentity'> {
  return describe(identityOf(IdentityId, ctx));
}

export function ListIdentities(
  input: InputOf<'ListIdentities'>,
  ctx: CognitoIdentityContext,
): OutputOf<'ListIdentities'> {
  const { id } = poolOf(input.IdentityPoolId, ctx);
  const all = [...ctx.state.identitiesOf(id)];
  const shown = input.HideDisabled ? all.filter(({ disabled }) => !disabled) : all;
  return {
    ...paging.page('ListIdentities', input, shown, (identity) => identity.id).list(describe),
    IdentityPoolId: id,
  };
}

export function DeleteIdentities(
  { IdentityIdsToDelete }: InputOf<'DeleteIdentities'>,
  { state }: CognitoIdentityContext,
): OutputOf<'DeleteIdentities'> {
  const UnprocessedIdentityIds = [];
  for (const IdentityId of new Set(IdentityIdsToDelete)) {
    const identity = state.identity(IdentityId);
    if (identity) state.deleteIdentity(identity);
    else UnprocessedIdentityIds.push({ IdentityId, ErrorCode: 'AccessDenied' as const });
  }
  return { UnprocessedIdentityIds };
}

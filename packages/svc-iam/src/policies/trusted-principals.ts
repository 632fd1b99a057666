import type { IamContext } from '../context.ts';
import { findRole, findUser } from '../entities/lookup.ts';
import type { PrincipalRecord } from '../records.ts';

/**
 * Whether a user or role of a trust policy exists. An account without users and roles in this emulator is considered
 * external, so that its principals are accepted.
 * @param arn of a user or role
 * @param accountId of its account
 */
export function principalExists(arn: string, accountId: string, ctx: IamContext): boolean {
  const own = accountId === ctx.accountId;
  const state = own ? ctx.state : ctx.handle.existingState(accountId, '');
  if (!state || (!own && !state.users.size && !state.roles.size)) return true;
  const name = arn.slice(arn.lastIndexOf('/') + 1);
  const found = arn.includes(':user/') ? findUser(state, name) : findRole(state, name);
  return found?.arn === arn;
}

/**
 * Replaces a deleted user or role in trust policies by its unique id, since a later one with the same name is a
 * different principal.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export function retirePrincipal({ arn, id }: Pick<PrincipalRecord, 'arn' | 'id'>, ctx: IamContext): void {
  for (const { state } of ctx.handle.states())
    for (const [key, { trustPolicy }] of state.roles.entries()) {
      if (!trustPolicy.includes(`"${arn}"`)) continue;
      const replaced = JSON.stringify(JSON.parse(trustPolicy), (_name, value: unknown) => (value === arn ? id : value));
      state.roles.update(key, (draft) => {
        draft.trustPolicy = replaced;
      });
    }
}

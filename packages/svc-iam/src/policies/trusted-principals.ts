import type { OperationContext } from '@emu/core';
import { findRole, findUser } from '../entities/lookup.ts';
import type { IamState } from '../state.ts';
import type { PrincipalLookup } from './trust.ts';

/**
 * Who exists, for trust policies. An account of which this emulator has neither users nor roles is taken for one that
 * lives elsewhere, about which nothing is known.
 */
export function principalLookup(ctx: OperationContext<IamState>): PrincipalLookup {
  return {
    exists(arn, accountId) {
      const own = accountId === ctx.accountId;
      const state = own ? ctx.state : [...ctx.handle.states()].find((one) => one.accountId === accountId)?.state;
      if (!state || (!own && !state.users.size && !state.roles.size)) return true;
      const name = arn.slice(arn.lastIndexOf('/') + 1);
      const found = arn.includes(':user/') ? findUser(state, name) : findRole(state, name);
      return found?.arn === arn;
    },
  };
}

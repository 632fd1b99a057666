import type { OperationContext, Principal } from '@emu/core';
import type { Asker } from './engine/host.ts';
import type { CloudformationState } from './state.ts';

/** What CloudFormation's handlers work with. */
export type CloudformationContext = OperationContext<CloudformationState>;

/** Who makes a request, for work that is done on its behalf. */
export const askerOf = ({ principal, endpoint, requestId }: CloudformationContext): Asker => ({
  principal: { ...(principal as Principal) },
  endpoint,
  cause: requestId,
});

import type { OperationContext, Principal } from '@emu/core/service';
import type { Asker } from './host.ts';
import type { CloudformationState } from './state.ts';

/** Context of CloudFormation's handlers. */
export type CloudformationContext = OperationContext<CloudformationState>;

/** Returns the caller of a request, for work that is done later on its behalf. */
export const askerOf = ({ principal, endpoint, requestId }: CloudformationContext): Asker => ({
  principal: { ...(principal as Principal) },
  endpoint,
  cause: requestId,
});

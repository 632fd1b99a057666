import type { OperationContext } from '@emu/core/service';
import type { CloudControlState } from './state.ts';

/** Context of the service's handlers. */
export type CloudcontrolContext = OperationContext<CloudControlState>;

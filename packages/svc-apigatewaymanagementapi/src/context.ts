import type { OperationContext } from '@emu/core/service';
import type { ConnectionState } from './state.ts';

/** Context of the service's handlers. */
export type ApigatewaymanagementapiContext = OperationContext<ConnectionState>;

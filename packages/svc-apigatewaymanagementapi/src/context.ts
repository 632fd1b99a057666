import type { OperationContext } from '@emu/core';
import type { ConnectionState } from './state.ts';

/** Context of the service's handlers. */
export type ApigatewaymanagementapiContext = OperationContext<ConnectionState>;

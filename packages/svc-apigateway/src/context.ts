import type { OperationContext } from '@emu/core/service';
import type { ApiGatewayState } from './state.ts';

/** Context of the service's handlers. */
export type ApigatewayContext = OperationContext<ApiGatewayState>;

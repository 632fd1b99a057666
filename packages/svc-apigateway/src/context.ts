import type { OperationContext } from '@emu/core/service';
import type { ApiGatewayState } from './state.ts';

/** Context of API Gateway's handlers. */
export type ApigatewayContext = OperationContext<ApiGatewayState>;

import type { OperationContext } from '@emu/core/service';
import type { Apigatewayv2State } from './state.ts';

/** Context of the service's handlers. */
export type Apigatewayv2Context = OperationContext<Apigatewayv2State>;

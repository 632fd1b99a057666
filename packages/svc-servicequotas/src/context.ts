import type { OperationContext } from '@emu/core/service';
import type { ServicequotasState } from './state.ts';

/** Context of the service's handlers. */
export type ServicequotasContext = OperationContext<ServicequotasState>;

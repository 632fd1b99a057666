import type { OperationContext } from '@emu/core';
import type { ServicequotasState } from '../state.ts';

/** What handlers of Service Quotas have. */
export type QuotasContext = OperationContext<ServicequotasState>;

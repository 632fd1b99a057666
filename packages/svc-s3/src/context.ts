import type { OperationContext } from '@emu/core/service';
import type { S3State } from './state.ts';

/** Context of the service's handlers. */
export type S3Context = OperationContext<S3State>;

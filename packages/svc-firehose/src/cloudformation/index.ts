import type { AnyResourceProvider } from '@emu/core/service';
import { deliveryStream } from './delivery-stream.ts';

/** Providers of Amazon Data Firehose's resource types. */
export const providers: readonly AnyResourceProvider[] = [deliveryStream];

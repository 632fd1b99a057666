import type { AnyResourceProvider } from '@emu/core/service';
import { queue } from './queue.ts';
import { queueInlinePolicy, queuePolicy } from './queue-policy.ts';

/** Providers of SQS's resource types. */
export const providers: readonly AnyResourceProvider[] = [queue, queueInlinePolicy, queuePolicy];

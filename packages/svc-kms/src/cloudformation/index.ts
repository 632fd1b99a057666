import type { AnyResourceProvider } from '@emu/core/service';
import { alias, key } from './key.ts';
import { replicaKey } from './replica-key.ts';

/** Providers of KMS' resource types. */
export const providers: readonly AnyResourceProvider[] = [alias, key, replicaKey];

import type { AnyResourceProvider } from '@emu/core';
import { resourcePolicy, secret } from './secret.ts';

/** Providers of Secrets Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [resourcePolicy, secret];

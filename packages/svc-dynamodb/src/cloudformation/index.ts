import type { AnyResourceProvider } from '@emu/core';
import { table } from './table.ts';

/** Providers of DynamoDB's resource types. */
export const providers: readonly AnyResourceProvider[] = [table];

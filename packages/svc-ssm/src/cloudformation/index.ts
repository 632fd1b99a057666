import type { AnyResourceProvider } from '@emu/core';
import { parameter } from './parameter.ts';

/** Providers of Systems Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [parameter];

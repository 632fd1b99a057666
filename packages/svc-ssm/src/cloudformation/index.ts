import type { AnyResourceProvider } from '@emu/core';
import { document } from './document.ts';
import { parameter } from './parameter.ts';

/** Providers of Systems Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [document, parameter];

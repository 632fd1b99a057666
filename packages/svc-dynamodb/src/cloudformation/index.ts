import type { AnyResourceProvider } from '@emu/core/service';
import { globalTable } from './global-table.ts';
import { table } from './table.ts';

/** Providers of DynamoDB's resource types. */
export const providers: readonly AnyResourceProvider[] = [globalTable, table];

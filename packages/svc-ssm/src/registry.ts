import type { DocumentTable } from './documents/table.ts';
import type { ParameterTable } from './parameters/table.ts';

/** What an account and region has, as resources are found in it. */
export interface ParameterRegistry {
  readonly parameters: ParameterTable;
  readonly documents: DocumentTable;
}

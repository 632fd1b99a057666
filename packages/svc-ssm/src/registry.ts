import type { Automations } from './automation/automations.ts';
import type { DocumentTable } from './documents/table.ts';
import type { Nodes } from './nodes/nodes.ts';
import type { ParameterTable } from './parameters/table.ts';
import type { Sessions } from './sessions/sessions.ts';

/** Resources of an account and region among which parameters are found. */
export interface ParameterRegistry {
  readonly parameters: ParameterTable;
  readonly documents: DocumentTable;
  /** Returns the JSON text of a parameter's policy; undefined if it has none. */
  policyOf(parameter: string): string | undefined;
  readonly automations: Automations;
  readonly nodes: Nodes;
  readonly sessions: Sessions;
}

import type { Automations } from './automation/automations.ts';
import type { DocumentTable } from './documents/table.ts';
import type { Nodes } from './nodes/nodes.ts';
import type { ParameterTable } from './parameters/table.ts';
import type { Sessions } from './sessions/sessions.ts';

/** What an account and region has, as resources are found in it. */
export interface ParameterRegistry {
  readonly parameters: ParameterTable;
  readonly documents: DocumentTable;
  /** JSON text of the policy of a parameter; undefined where it has none. */
  policyOf(parameter: string): string | undefined;
  readonly automations: Automations;
  readonly nodes: Nodes;
  readonly sessions: Sessions;
}

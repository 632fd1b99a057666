import { defineCollection } from '@emu/core/service';
import type { QueryLanguage, QueryParameter } from '@emu/service-types/logs';
import { scheduledQueryCollection, triggerCollection } from './scheduled/records.ts';

/** A saved query, keyed by id. */
export interface DefinitionRecord {
  id: string;
  name: string;
  language: QueryLanguage;
  query: string;
  groups: string[];
  parameters: QueryParameter[];
  /** Id of the creating request. */
  token?: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

/** A lookup table, keyed by name. */
export interface LookupTableRecord {
  name: string;
  description?: string;
  /** CSV with a header. */
  body: string;
  kmsKeyId?: string;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
}

export const definitionCollection = defineCollection<DefinitionRecord>('query-definitions', 'region', {
  content: ['query'],
});
export const lookupTableCollection = defineCollection<LookupTableRecord>('lookup-tables', 'region', {
  content: ['body'],
});

/** Collections of Logs Insights. */
export const insightsCollections = [
  definitionCollection,
  lookupTableCollection,
  scheduledQueryCollection,
  triggerCollection,
];

export * from './define.ts';
export { type Filtered, type FilterRules, filterName, memberFilters, type RequestedFilter } from './filters.ts';
export * from './ids.ts';
export { collectionOf } from './lazy-index.ts';
export { type Ending, isEnding, type Life, type Lifecycle, type Living, type Phase, stateAt } from './lifecycle.ts';
export type { MadeOperation, RegularResource } from './regular-resource.ts';
export type { Creator, MemberRow, Row } from './specs.ts';
export type {
  Change,
  ExistingChange,
  MadeHandler,
  OnDelete,
  Proposed,
  RecordSource,
  ReferenceRule,
  ResourceTypes,
  Rule,
  ServiceRules,
  ServiceTypes,
  UniqueRule,
} from './types.ts';

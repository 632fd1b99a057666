export type * from './authorization.ts';
export { contextKeysOf } from './document.ts';
export { evaluate } from './evaluate.ts';
export { denialMessage } from './message.ts';
export { type Position, type StatementPosition, statementPositions } from './positions.ts';
export { type TagFacts, tagCondition, tagRecord } from './tags.ts';
export type * from './types.ts';

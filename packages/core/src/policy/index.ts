export type * from './authorization.ts';
export { contextKeysOf } from './document.ts';
export { evaluate } from './evaluate.ts';
export { unknownPrincipal } from './known-principals.ts';
export { denialMessage } from './message.ts';
export { type Position, type StatementPosition, statementPositions } from './positions.ts';
export { checkS3Policy, isPublicPolicy } from './s3-policy.ts';
export { type TagFacts, tagCondition, tagRecord } from './tags.ts';
export type * from './types.ts';

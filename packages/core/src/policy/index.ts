export type * from './authorization-request.ts';
export { conditionsHold } from './conditions.ts';
export { contextKeysOf } from './document.ts';
export { evaluate } from './evaluate.ts';
export { type AccountGrant, grantStatement, malformedAccounts } from './grants.ts';
export { type Json, readPolicy, statementsOf, textsOf } from './json.ts';
export { denialMessage } from './message.ts';
export { type ParseResult, parsePolicy, policySize } from './parse.ts';
export { passRole } from './pass-role.ts';
export { type Position, type StatementPosition, statementPositions } from './positions.ts';
export { isAwsPrincipal, isServicePrincipal, PRINCIPALS } from './principal-forms.ts';
export {
  type PolicyProblem,
  type ProblemCode,
  type ProblemSentence,
  type ProblemSentences,
  sentenceFor,
} from './problems.ts';
export { isPublicPolicy } from './public-policy.ts';
export type {
  ParsedCondition,
  ParsedPolicy,
  ParsedStatement,
  PolicyRules,
  Presence,
  ProblemOrder,
  StatementRule,
  ValuesRule,
} from './rules.ts';
export { actionsOf, each, type Finding, nameMatcher } from './rules.ts';
export { checkS3Policy, invalidS3Principal, type S3PolicyScope, type S3ResourceKind } from './s3-policy.ts';
export { type ConditionTags, tagCondition } from './tags.ts';
export type * from './types.ts';

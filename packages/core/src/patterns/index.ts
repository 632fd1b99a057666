export { type PatternEvent, parsePatternEvent, patternEvent } from './event.ts';
export { jsonSyntaxError, PatternError } from './json-tokens.ts';
export { matchesPattern } from './match.ts';
export {
  compilePattern,
  EVENT_PATTERNS,
  FILTER_POLICIES,
  type FieldCondition,
  type Pattern,
  type PatternDialect,
} from './pattern.ts';
export { PatternIndex } from './pattern-index.ts';

export * from './data-identifiers.ts';
export * from './dialect.ts';
export { type PatternEvent, parsePatternEvent, patternEvent } from './event.ts';
export { endsQuoted, JsonPaths } from './json-path.ts';
export { jsonSyntaxError, PatternError } from './json-tokens.ts';
export { matchesPattern } from './match.ts';
export {
  compilePattern,
  type FieldCondition,
  type Pattern,
} from './pattern.ts';
export { PatternIndex } from './pattern-index.ts';
export { matchesWildcard } from './wildcard.ts';

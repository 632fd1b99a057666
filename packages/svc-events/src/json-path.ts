import { JsonPaths } from '@emu/core/patterns';

/** Paths of rules' targets. */
export const JSON_PATHS = new JsonPaths({ nameCharacters: '@$', negativeIndexes: true, keepsMissing: true });

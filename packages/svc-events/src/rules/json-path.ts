import { JsonPaths } from '@emu/core/patterns';

/**
 * Paths of rules' targets.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export const JSON_PATHS = new JsonPaths({ nameCharacters: '@$/', negativeIndexes: true, keepsMissing: true });

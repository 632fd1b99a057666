import { JsonPaths } from '@emu/core/patterns';

/**
 * Paths of pipes' templates and parameters.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 */
export const JSON_PATHS = new JsonPaths({ nameCharacters: '/', negativeIndexes: false, keepsMissing: false });

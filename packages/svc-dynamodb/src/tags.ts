import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import { invalid } from './errors.ts';

/** Tags of tables. */
export const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        // Rejected in lower case only.
        return problem.key.startsWith('aws:')
          ? invalid(`Tag Key cannot be prefixed with aws:, Key: ${problem.key}`)
          : undefined;
      case 'duplicate':
        return invalid(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${problem.key}`);
      case 'too-many':
        return invalid('Number of Tags exceed the current limit for the provided ResourceArn');
      // emu's own message.
      case 'characters':
        return invalid(
          problem.value === undefined
            ? `Tag Key contains invalid characters, Key: ${problem.key}`
            : `Tag Value contains invalid characters, Value: ${problem.value}`,
        );
      default:
        return undefined;
    }
  },
});

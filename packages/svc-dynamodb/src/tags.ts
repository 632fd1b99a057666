import { Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/dynamodb';
import { invalid } from './context.ts';

/** Stored tags by key. */
type Tags = Readonly<Record<string, string>>;

const form = tagsAsList('Key', 'Value');

const tagging = new Tagging({
  form,
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

/** Returns tags in the shape of requests and responses. */
export const listOfTags = (tags: Tags): Tag[] => form.from(Object.entries(tags));

/** Returns the tags of a request by key; undefined if it has none. */
export const recordOfTags = (tags: readonly Tag[] | undefined): Tags | undefined => tagging.record(tags);

/**
 * Adds or replaces tags of a table.
 * @throws AwsError `ValidationException`
 */
export const addTags = (current: Tags, added: readonly Tag[] = []): Record<string, string> => ({
  ...tagging.record(tagging.merge(listOfTags(current), added)),
});

/** Removes tags of a table by key. */
export const removeTags = (current: Tags, keys: readonly string[]): Record<string, string> => ({
  ...tagging.record(tagging.remove(listOfTags(current), keys)),
});

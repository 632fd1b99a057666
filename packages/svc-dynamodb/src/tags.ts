import { Tagging, tagList } from '@emu/core';
import type { Tag } from '@emu/service-types/dynamodb';
import { invalid } from './context.ts';

/** Tags by key, as they are kept. */
type Tags = Readonly<Record<string, string>>;

const form = tagList('Key', 'Value');

const tagging = new Tagging({
  form,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        // Refused in lower case only.
        return problem.key.startsWith('aws:')
          ? invalid(`Tag Key cannot be prefixed with aws:, Key: ${problem.key}`)
          : undefined;
      case 'duplicate':
        return invalid(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${problem.key}`);
      case 'too-many':
        return invalid('Number of Tags exceed the current limit for the provided ResourceArn');
      // Our own wording.
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

/** Tags as requests and answers have them. */
export const listOfTags = (tags: Tags): Tag[] => form.from(Object.entries(tags));

/** Tags of a request by key; undefined where it has none. */
export const recordOfTags = (tags: readonly Tag[] | undefined): Tags | undefined => tagging.record(tags);

/**
 * The tags of a table with others added to them or in their place.
 * @throws AwsError `ValidationException`
 */
export const addTags = (current: Tags, added: readonly Tag[] = []): Record<string, string> => ({
  ...tagging.record(tagging.merge(listOfTags(current), added)),
});

/** The tags of a table without those of some keys. */
export const removeTags = (current: Tags, keys: readonly string[]): Record<string, string> => ({
  ...tagging.record(tagging.remove(listOfTags(current), keys)),
});

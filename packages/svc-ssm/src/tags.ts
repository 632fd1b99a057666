import { type TagForm, Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/ssm';
import { awsError } from '@emu/wire';
import { invalidRequest } from './errors.ts';

const MAX_TAGS = 50;

const form: TagForm<Tag[]> = tagsAsList('Key', 'Value');

const tagging = new Tagging<Tag[]>({
  form,
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return invalidRequest('aws: prefixed tag key names are not allowed for external use.');
      case 'too-many':
        return awsError('TooManyTagsError', `The number of tags exceeds the limit of ${MAX_TAGS}.`);
      default:
        return undefined;
    }
  },
});

type Tags = Readonly<Record<string, string>>;

/** Returns tags in the shape of requests and responses. */
export const listOfTags = (tags: Tags): Tag[] => form.from(Object.entries(tags));

/** Returns the tags of a request by key. */
export const tagRecord = (tags: readonly Tag[] | undefined): Tags | undefined => tagging.record(tags);

/**
 * Adds or replaces tags.
 * @throws AwsError `TooManyTagsError`, `ValidationException`
 */
export const addTags = (current: Tags, added: readonly Tag[] = []): Record<string, string> => ({
  ...tagging.record(tagging.merge(listOfTags(current), added)),
});

/** Removes tags by key. */
export const removeTags = (current: Tags, keys: readonly string[]): Record<string, string> => ({
  ...tagging.record(tagging.remove(listOfTags(current), keys)),
});

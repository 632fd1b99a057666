import { Tagging, tagList } from '@emu/core';
import type { Tag } from '@emu/service-types/sns';
import { awsError } from '@emu/wire';
import { invalidParameter } from './errors.ts';

/** Tags by key, as they are kept. */
type Tags = Readonly<Record<string, string>>;

const form = tagList('Key', 'Value');

const tagging = new Tagging({
  form,
  refuse({ code }) {
    switch (code) {
      case 'duplicate':
        return invalidParameter('Duplicated keys are not allowed.');
      case 'reserved':
        return invalidParameter('System tags cannot be added/updated by requester');
      case 'too-many':
        return awsError('TagLimitExceededException', 'Could not complete request: tag quota of per resource exceeded');
      default:
        return undefined;
    }
  },
});

/** Tags as requests and answers have them. */
export const listOfTags = (tags: Tags): Tag[] => form.from(Object.entries(tags));

/** Tags of a request by key; undefined where it has none. */
export const tagRecord = (tags: readonly Tag[] | undefined): Tags | undefined => tagging.record(tags);

/**
 * The tags of a topic with others added to them or in their place.
 * @throws AwsError `InvalidParameter`; `TagLimitExceeded` where there would be more than 50
 */
export const addTags = (current: Tags, added: readonly Tag[] = []): Record<string, string> => ({
  ...tagging.record(tagging.merge(listOfTags(current), added)),
});

/** The tags of a topic without those of some keys. */
export const removeTags = (current: Tags, keys: readonly string[]): Record<string, string> => ({
  ...tagging.record(tagging.remove(listOfTags(current), keys)),
});

import { Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/sns';
import { awsError } from '@emu/wire';
import { invalidParameter } from './errors.ts';

/** Stored tags by key. */
type Tags = Readonly<Record<string, string>>;

const form = tagsAsList('Key', 'Value');

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

/** Tags in requests and responses. */
export const listOfTags = (tags: Tags): Tag[] => form.from(Object.entries(tags));

/** Returns the tags of a request by key; undefined without tags. */
export const tagRecord = (tags: readonly Tag[] | undefined): Tags | undefined => tagging.record(tags);

/**
 * Returns the tags of a topic with others added or replaced.
 * @throws AwsError `InvalidParameter`; `TagLimitExceeded` for more than 50 tags
 */
export const addTags = (current: Tags, added: readonly Tag[] = []): Record<string, string> => ({
  ...tagging.record(tagging.merge(listOfTags(current), added)),
});

/** Returns the tags of a topic without some keys. */
export const removeTags = (current: Tags, keys: readonly string[]): Record<string, string> => ({
  ...tagging.record(tagging.remove(listOfTags(current), keys)),
});

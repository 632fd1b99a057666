import { type TagForm, Tagging } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { validation } from './errors.ts';

const MAX_TAGS = 50;
type Tags = Record<string, string>;

const form: TagForm<Tags> = {
  entries: (tags) => Object.entries(tags ?? {}),
  from: (entries) => Object.fromEntries(entries),
};

const tagging = new Tagging<Tags>({
  form,
  most: MAX_TAGS,
  refuse: (problem) =>
    problem.code === 'too-many'
      ? awsError('TooManyTags', `A resource cannot have more than ${MAX_TAGS} tags.`)
      : validation('A tag key or value is not valid.'),
});

type TagList = readonly { key?: string | undefined; value?: string | undefined }[] | undefined;

/**
 * Adds tags.
 * @throws AwsError `TooManyTags`
 */
export const addTags = (existing: Readonly<Tags> | undefined, added: TagList): Tags =>
  tagging.merge(existing, Object.fromEntries((added ?? []).map(({ key = '', value = '' }) => [key, value])));

/** Removes tags. */
export const removeTags = (existing: Readonly<Tags>, keys: readonly string[]): Tags => tagging.remove(existing, keys);

/** Returns tags in the shape of responses. */
export const tagList = (tags: Readonly<Tags>) => Object.entries(tags).map(([key, value]) => ({ key, value }));

import { invalid } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Checks the tags of a resource.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-tags.html
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkTags(tags: Readonly<Record<string, string>> | undefined): void {
  if (!tags) return;
  const keys = Object.keys(tags);
  if (keys.length > LIMITS.tags) throw invalid('Number of tags exceeds resource tag limit.');
  for (const key of keys) {
    if (/^aws:/i.test(key)) throw invalid(`Tag key ${key} is invalid: the prefix aws: is reserved.`);
    if (!key.length || key.length > 128) throw invalid('Tag keys must be between 1 and 128 characters long.');
    if (tags[key]!.length > 256) throw invalid('Tag values must be at most 256 characters long.');
    if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(key + tags[key]!))
      throw invalid('Tag keys and values may contain letters, numbers, spaces and the characters _.:/=+-@ only.');
  }
}

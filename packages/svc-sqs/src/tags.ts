import { invalidParameterValue } from './errors.ts';

const MAX_TAGS = 50;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;
const CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/**
 * Puts tags over those a queue has (Quotas related to queues in the SQS developer guide).
 * @returns all tags
 * @throws AwsError `InvalidParameterValue` for bad keys or values, or where there would be more than 50
 */
export function addTags(
  queueName: string,
  current: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  for (const [key, value] of Object.entries(added)) checkTag(key, value);
  const tags = { ...current, ...added };
  if (Object.keys(tags).length > MAX_TAGS) throw invalidParameterValue(`Too many tags added for queue ${queueName}.`);
  return tags;
}

/** The tags that are left without some keys; keys that are not there do not matter. */
export function removeTags(current: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(current).filter(([key]) => !keys.includes(key)));
}

function checkTag(key: string, value: string): void {
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalidParameterValue(`Tag keys must be between 1 and ${MAX_KEY_LENGTH} characters in length.`);
  if (value.length > MAX_VALUE_LENGTH)
    throw invalidParameterValue(`Tag values must be between 0 and ${MAX_VALUE_LENGTH} characters in length.`);
  if (/^aws:/i.test(key))
    throw invalidParameterValue("Tag keys can't start with 'aws:'. This prefix is reserved for use by AWS.");
  if (!CHARACTERS.test(key) || !CHARACTERS.test(value))
    throw invalidParameterValue(
      'Tag keys and values can only contain letters, digits, white space and _ . : / = + - @.',
    );
}

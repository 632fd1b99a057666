import type { NameFacts } from './facts.ts';

/** Parts of the generated names of a stack's resources. */
export interface NameParts {
  /** Stack name and logical id; empty for Cloud Control. */
  readonly words: readonly string[];
  /** Twelve letters and digits, stored with the resource so that its name stays the same. */
  readonly random: string;
}

const MAX_NAME = 255;

/**
 * Generates a name for a resource without one in the template, as AWS does: `<stack>-<logical id>-<random>`. If it is
 * too long, the words are cut, the last to the remaining length, each to at least half.
 * @param suffix required end of the name
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html
 */
export function physicalName(
  { words, random }: NameParts,
  { max = MAX_NAME, lower }: Omit<NameFacts, 'property'> = {},
  suffix = '',
): string {
  const room = Math.max(0, max - random.length - suffix.length - words.length);
  const [first = '', ...others] = words;
  const second = others.join('-');
  const kept = second ? Math.max(Math.floor(room / 2), room - second.length) : room;
  const parts = [first.slice(0, kept), second.slice(0, room - Math.min(first.length, kept)), random];
  const name = `${parts.filter(Boolean).join('-')}`;
  return `${lower ? name.toLowerCase() : name}${suffix}`;
}

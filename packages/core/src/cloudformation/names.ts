import type { NameFacts } from './facts.ts';

/** What the names of a stack's resources are made of. */
export interface NameParts {
  /** Stack name and logical id; none for Cloud Control. */
  readonly words: readonly string[];
  /** Twelve letters and digits, kept with the resource so that its name stays. */
  readonly random: string;
}

const MAX_NAME = 255;

/**
 * A name for a resource whose template gives none, as AWS makes it: `<stack>-<logical id>-<random>`. Where that is too long
 * the words are cut, the last to what is left and at least to half.
 * @param suffix text that it has to end with
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

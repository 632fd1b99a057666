import { LinearRegex, RegexError } from '@emu/core/regex';
import type { ParameterType, PutParameterRequest } from '@emu/service-types/ssm';
import { violationText } from '@emu/wire';
import { invalid, ssmError } from '../errors.ts';
import type { VersionRecord } from '../records.ts';
import type { Parameter, Version } from './table.ts';

/** Maximum number of versions of a parameter. */
const MAX_VERSIONS = 100;

const MAX_LENGTH = { Standard: 4096, Advanced: 8192 };
const ADVANCED_PAGE =
  'https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html';
const DATA_TYPES = new Set(['text', 'aws:ec2:image', 'aws:ssm:integration']);
const IMAGE = /^ami-[0-9a-f]{8,17}$/;
/** Name prefix of parameters for Automation webhook integrations. */
export const INTEGRATIONS = '/d9d01087-4a3f-49e0-b0b4-d568d7826553/ssm/integrations/webhook/';

/**
 * Returns the tier of a new version: the requested one, or for intelligent tiering the one that the value requires.
 * @param full whether the account has reached the limit of standard parameters
 * @throws AwsError `ValidationException`
 */
export function tierOf(
  { Tier, Value, Policies }: PutParameterRequest,
  current: Version | undefined,
  defaultTier: string,
  full: boolean,
): VersionRecord['tier'] {
  const asked = Tier ?? (current ? current.tier : defaultTier);
  if (asked === 'Intelligent-Tiering')
    return current?.tier === 'Advanced' ||
      Value.length > MAX_LENGTH.Standard ||
      hasPolicies(Policies) ||
      (full && !current)
      ? 'Advanced'
      : 'Standard';
  if (asked === 'Standard' && current?.tier === 'Advanced')
    throw invalid(
      "This parameter uses the advanced-parameter tier. You can't downgrade a parameter from the advanced-parameter tier to the standard-parameter tier.",
    );
  if (asked === 'Standard' && hasPolicies(Policies))
    throw invalid('Parameter policies need the advanced-parameter tier.');
  return asked === 'Advanced' ? 'Advanced' : 'Standard';
}

const hasPolicies = (text: string | undefined): boolean =>
  text !== undefined && !/^\s*(\[\s*\]|\{\s*\})\s*$/.test(text);

/**
 * Checks the length of a value.
 * @throws AwsError `ValidationException` if the value exceeds the limit of its tier
 */
export function checkLength(value: string, tier: VersionRecord['tier']): void {
  if (value === '') throw invalid(violationText('value', 'Member must have length greater than or equal to 1.', ''));
  if (value.length <= MAX_LENGTH[tier]) return;
  throw invalid(
    tier === 'Standard'
      ? `Standard tier parameters support a maximum parameter value of 4096 characters. To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier. For more information, see ${ADVANCED_PAGE}`
      : `Advanced tier parameters support a maximum parameter value of 8192 characters. For more information, see ${ADVANCED_PAGE}`,
  );
}

/**
 * Returns the type of a new version.
 * @throws AwsError `ValidationException` if a new parameter has no type; `HierarchyTypeMismatchException` for a changed
 * type
 */
export function typeOf(asked: ParameterType | undefined, name: string, current: Version | undefined): ParameterType {
  const type = asked ?? current?.type;
  if (type === undefined) throw invalid('A parameter type is required when you create a parameter.');
  if (current && current.type !== type && name.startsWith('/'))
    throw ssmError(
      'HierarchyTypeMismatchException',
      "Parameter Store doesn't support changing a parameter type in a hierarchy.",
    );
  return type;
}

/**
 * Checks the data type of a value.
 * @throws AwsError `ValidationException` if the data type is unknown or the value does not match it
 */
export function checkDataType(dataType: string, name: string, value: string): void {
  if (!DATA_TYPES.has(dataType))
    throw invalid(`The following data type is not supported: ${dataType} (Data type names are all lowercase.)`);
  if (dataType === 'aws:ec2:image' && !IMAGE.test(value))
    throw invalid(`The value of parameter ${name} is not the id of an Amazon Machine Image.`);
  if (dataType === 'aws:ssm:integration' && !name.startsWith(INTEGRATIONS))
    throw invalid(`The name of a parameter of data type aws:ssm:integration begins with ${INTEGRATIONS}.`);
}

/**
 * Checks a value against its pattern.
 * @throws AwsError `InvalidAllowedPatternException`, `ParameterPatternMismatchException`
 */
export function checkPattern(pattern: string | undefined, value: string): void {
  if (pattern === undefined || pattern === '') return;
  let matches: boolean;
  try {
    matches = new LinearRegex(pattern).test(value);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw ssmError(
      'InvalidAllowedPatternException',
      `The allowed pattern ${pattern} is not a valid regular expression.${error.invalid ? '' : ` ${error.message}.`}`,
    );
  }
  if (!matches)
    throw ssmError(
      'ParameterPatternMismatchException',
      `Parameter value, cannot be validated against allowedPattern: ${pattern}`,
    );
}

/**
 * Returns the versions of a parameter with one added and, above the limit, the oldest removed.
 * @throws AwsError `ParameterMaxVersionLimitExceeded` if the oldest has a label
 */
export function versionsWith({ name, versions }: Parameter, added: VersionRecord): VersionRecord[] {
  // Versions are immutable: the remaining ones need no copies.
  const kept = (versions.length < MAX_VERSIONS ? versions : versions.slice(1)) as VersionRecord[];
  const [oldest] = versions;
  if (kept !== versions && oldest!.labels.length > 0)
    throw ssmError(
      'ParameterMaxVersionLimitExceeded',
      `You attempted to create a new version of ${name} by calling the PutParameter API with the overwrite flag. Version ${oldest!.version}, the oldest version, can't be deleted because it has a label associated with it. Move the label to another version of the parameter, and try again.`,
    );
  // `push` would over-allocate the array by half.
  return kept.concat(added);
}

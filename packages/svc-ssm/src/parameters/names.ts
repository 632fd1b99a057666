import { parseArn } from '@emu/core';
import { awsError } from '@emu/wire';
import { invalidRequest } from '../errors.ts';

/** Levels of a name at most. */
const MAX_LEVELS = 15;
/** Characters of a name and its ARN at most. */
const MAX_LENGTH = 1011;
const CHARACTERS = /^[a-zA-Z0-9_.\-/]+$/;

/** Names that AWS keeps for itself. */
const PUBLIC = /^\/aws(\/|$)/i;

const REQUIREMENTS =
  'If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_';

/**
 * Checks the name of a parameter that is being made.
 * @throws AwsError `ValidationException`, `AccessDeniedException`, `HierarchyLevelLimitExceededException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-su-create.html
 */
export function checkName(name: string): void {
  const path = name.includes('/');
  const folded = name.toLowerCase().replace(/^\//, '');
  if (PUBLIC.test(name) && path && name.lastIndexOf('/') > 0)
    throw awsError('AccessDeniedException', `No access to reserved parameter name: ${name}.`);
  if (folded.startsWith('aws') || folded.startsWith('ssm'))
    throw invalidRequest(
      name.lastIndexOf('/') > 0
        ? `Parameter name: can't be prefixed with "ssm" (case-insensitive). ${REQUIREMENTS}`
        : 'Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive).',
    );
  if (path && !name.startsWith('/')) throw invalidRequest('Parameter name must be a fully qualified name.');
  if (!CHARACTERS.test(name) || name.includes('//') || name.endsWith('/') || name.length > MAX_LENGTH)
    throw invalidRequest(`Parameter name: can't be prefixed with "ssm" (case-insensitive). ${REQUIREMENTS}`);
  if (name.split('/').length - (path ? 1 : 0) > MAX_LEVELS)
    throw awsError(
      'HierarchyLevelLimitExceededException',
      `A parameter name can have ${MAX_LEVELS} levels at most, separated by slashes.`,
    );
}

/**
 * The name by which a parameter is kept: names of one level are the same with and without a slash, as their ARNs are.
 */
export const keyOfName = (name: string): string => (/^\/[^/]+$/.test(name) ? name.slice(1) : name);

/** What a request asks for: a parameter of a name or ARN, and which version of it. */
export interface Selection {
  /** As it is kept. */
  readonly key: string;
  /** What is behind the colon, with it. */
  readonly selector: string | undefined;
  /** Account that an ARN names. */
  readonly accountId: string | undefined;
  readonly region: string | undefined;
}

/** Reads `name`, `name:version`, `name:label` or the same with an ARN in the name's place. */
export function readSelection(text: string): Selection {
  const arn = text.startsWith('arn:') ? parseArn(text) : undefined;
  const whole = arn ? arn.resource.replace(/^parameter\/?/, '') : text;
  const colon = whole.indexOf(':');
  const name = colon < 0 ? whole : whole.slice(0, colon);
  return {
    // The ARN of a path has one slash only.
    key: keyOfName(arn && name.includes('/') ? `/${name}` : name),
    selector: colon < 0 ? undefined : whole.slice(colon),
    accountId: arn?.accountId,
    region: arn?.region,
  };
}

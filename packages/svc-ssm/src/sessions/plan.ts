import { notEmulated } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { Json, JsonObject } from '../documents/content.ts';
import { boundParameters, type ParameterValues } from '../documents/parameters.ts';
import { substitute } from '../documents/references.ts';
import type { SessionPlan } from './records.ts';

const MINUTE = 60_000;
/** Default idle timeout of a session, in minutes. */
const IDLE_TIMEOUT = 20;
/** Members of a session's commands by platform. */
const PLATFORM = { Linux: 'linux', MacOS: 'macOS', Windows: 'windows' } as const;

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const isTrue = (value: Json | undefined): boolean => value === true || value === 'true';

/** Returns the lines that a session runs instead of a shell; undefined for a shell. */
function commandsOf(
  content: JsonObject,
  given: ParameterValues,
  platform: keyof typeof PLATFORM,
): string[] | undefined {
  const { properties } = content;
  const own = isObject(properties) ? properties[PLATFORM[platform]] : undefined;
  if (!isObject(own) || own.commands === undefined) return undefined;
  const parameters = boundParameters(content, given);
  const resolved = substitute(own.commands, (reference) => parameters[reference]);
  return (Array.isArray(resolved) ? resolved : [resolved]).map(String);
}

/**
 * Returns the plan of a session from its document and parameters.
 * @throws AwsError `NotImplemented` for port forwarding
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/session-manager-schema.html
 */
export function planOf(content: JsonObject, given: ParameterValues, platform: keyof typeof PLATFORM): SessionPlan {
  const { sessionType } = content;
  if (sessionType === 'Port') throw notEmulated('sessions of type Port of ssm');
  const inputs = isObject(content.inputs) ? content.inputs : {};
  const longest = Number(inputs.maxSessionDuration);
  const profile = isObject(inputs.shellProfile) ? inputs.shellProfile : {};
  const commands = commandsOf(content, given, platform);
  const bucket = text(inputs.s3BucketName);
  const bucketPrefix = text(inputs.s3KeyPrefix);
  const logGroup = text(inputs.cloudWatchLogGroupName);
  const shellProfile = text(profile[platform === 'Windows' ? 'windows' : 'linux']);
  const user = isTrue(inputs.runAsEnabled) ? text(inputs.runAsDefaultUser) : undefined;
  return {
    type: String(sessionType),
    idle: (Number(inputs.idleSessionTimeout) || IDLE_TIMEOUT) * MINUTE,
    ...(longest > 0 && { longest: longest * MINUTE }),
    ...(commands && { commands }),
    ...(shellProfile !== undefined && { shellProfile }),
    ...(user !== undefined && { user }),
    ...(bucket !== undefined && { bucket }),
    ...(bucketPrefix !== undefined && { bucketPrefix }),
    ...(logGroup !== undefined && { logGroup }),
  };
}

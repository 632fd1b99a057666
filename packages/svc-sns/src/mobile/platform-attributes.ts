import { exceedsBytes, isRoleArn, notEmulated } from '@emu/core/service';
import { invalidParameter } from '../errors.ts';

/** Platforms of mobile push notifications. */
const PLATFORMS = new Set([
  'ADM',
  'APNS',
  'APNS_SANDBOX',
  'APNS_VOIP',
  'APNS_VOIP_SANDBOX',
  'BAIDU',
  'GCM',
  'MACOS',
  'MACOS_SANDBOX',
  'MPNS',
  'WNS',
]);

const APPLICATION_ATTRIBUTES = new Set([
  'ApplePlatformBundleID',
  'ApplePlatformTeamID',
  'Enabled',
  'EventDeliveryFailure',
  'EventEndpointCreated',
  'EventEndpointDeleted',
  'EventEndpointUpdated',
  'FailureFeedbackRoleArn',
  'PlatformCredential',
  'PlatformPrincipal',
  'SuccessFeedbackRoleArn',
  'SuccessFeedbackSampleRate',
]);
/** Attributes for events to topics. */
const EVENTS = ['EventDeliveryFailure', 'EventEndpointCreated', 'EventEndpointDeleted', 'EventEndpointUpdated'];
const SECRETS = new Set(['PlatformCredential', 'PlatformPrincipal']);
const ENDPOINT_ATTRIBUTES = new Set(['CustomUserData', 'Enabled', 'Token']);
const MAX_NAME = 256;
const MAX_USER_DATA = 2048;

/** @throws AwsError `InvalidParameter` */
export function checkApplicationName(name: string): void {
  if (!name) throw invalidParameter(`${name} Reason: cannot be empty`);
  if (name.length > MAX_NAME) throw invalidParameter(`${name} Reason: must be at most ${MAX_NAME} characters long`);
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw invalidParameter(`${name} Reason: must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'`);
}

/** @throws AwsError `InvalidParameter` for a platform that SNS does not know */
export function checkPlatform(platform: string): void {
  if (!PLATFORMS.has(platform)) throw invalidParameter(`Platform Reason: ${platform} is not supported`);
}

/** Platforms that require a principal besides the credential. */
const needsPrincipal = (platform: string): boolean => platform !== 'GCM' && platform !== 'MPNS';

/**
 * Validates the credentials of an application. Only the platform itself could verify them.
 * @throws AwsError `InvalidParameter`
 */
export function checkCredentials(platform: string, attributes: Readonly<Record<string, string>>): void {
  const { PlatformPrincipal: principal, PlatformCredential: credential } = attributes;
  if (principal && !credential)
    throw invalidParameter('Attributes Reason: PlatformPrincipal attribute provided without PlatformCredential');
  if (credential && !principal && needsPrincipal(platform))
    throw invalidParameter('Attributes Reason: PlatformCredential attribute provided without PlatformPrincipal');
  if (!credential && platform !== 'MPNS')
    throw invalidParameter('Attributes Reason: PlatformCredential attribute is required');
}

/**
 * @throws AwsError `InvalidParameter` for unknown attributes or invalid values; `NotImplemented` for events, which emu
 * does not write
 */
export function checkApplicationAttributes(attributes: Readonly<Record<string, string>>): void {
  checkNames(attributes, APPLICATION_ATTRIBUTES);
  checkEnabled(attributes.Enabled);
  const rate = attributes.SuccessFeedbackSampleRate;
  if (rate !== undefined && !(/^\d{1,3}$/.test(rate) && Number(rate) <= 100))
    throw invalidParameter(
      'Attributes Reason: Invalid value for attribute: SuccessFeedbackSampleRate: must be an integer between 0 and 100',
    );
  for (const name of ['FailureFeedbackRoleArn', 'SuccessFeedbackRoleArn'])
    if (attributes[name] && !isRoleArn(attributes[name]))
      throw invalidParameter(`Attributes Reason: Invalid value for attribute: ${name}: ${attributes[name]}`);
  for (const name of EVENTS) if (attributes[name]) throw notEmulated(`${name} of platform applications`, 'sns');
}

/** @throws AwsError `InvalidParameter` for unknown attributes or invalid values */
export function checkEndpointAttributes(attributes: Readonly<Record<string, string>>): void {
  checkNames(attributes, ENDPOINT_ATTRIBUTES);
  checkEnabled(attributes.Enabled);
  if (exceedsBytes(attributes.CustomUserData ?? '', MAX_USER_DATA))
    throw invalidParameter(
      `Attributes Reason: Invalid value for attribute: CustomUserData: must be at most ${MAX_USER_DATA} bytes long in UTF-8 encoding`,
    );
}

function checkNames(attributes: Readonly<Record<string, string>>, known: ReadonlySet<string>): void {
  for (const name of Object.keys(attributes))
    if (!known.has(name)) throw invalidParameter(`Attributes Reason: Invalid attribute name: ${name}`);
}

function checkEnabled(value: string | undefined): void {
  if (value !== undefined && !/^(true|false)$/i.test(value))
    throw invalidParameter('Attributes Reason: Invalid value for attribute: Enabled: must be true or false');
}

/** Returns the readable attributes of an application, without its secrets. */
export function readableAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !SECRETS.has(name)));
}

/** Returns attributes with `Enabled` in lower case. */
export function withPlainEnabled(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const { Enabled, ...others } = attributes;
  return { ...others, ...(Enabled !== undefined && { Enabled: Enabled.toLowerCase() }) };
}

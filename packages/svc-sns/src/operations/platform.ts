import type { ResourceType } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sns';
import { snsArn } from '../arns.ts';
import type { SnsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { stateAt } from '../lookup.ts';
import { keyOfApplication } from '../mobile/keys.ts';
import {
  checkApplicationAttributes,
  checkApplicationName,
  checkCredentials,
  checkEndpointAttributes,
  checkPlatform,
  readableAttributes,
  withPlainEnabled,
} from '../mobile/platform-attributes.ts';
import { paging } from '../paging.ts';
import { applicationType, endpointArn, endpointType, textOfKey } from '../resources.ts';
import type { SnsState } from '../state.ts';

/** Account, region and state of a platform resource. The state is undefined if it is empty. */
interface PlatformTarget<Key> {
  state: SnsState | undefined;
  key: Key;
}

/** @throws AwsError `InvalidParameter` */
function targetOf<Key>(
  type: ResourceType<Key>,
  slashes: number,
  parameter: string,
  arn: string,
  ctx: SnsContext,
): PlatformTarget<Key> {
  const parsed = snsArn(arn, parameter, ctx.region);
  if (parsed.resource.split('/').length !== slashes + 1)
    throw invalidParameter(`${parameter} Reason: Wrong number of slashes in relative portion of the ARN.`);
  const address = type.parse(parsed);
  if (!address) throw invalidParameter(parameter);
  return { state: stateAt(address.place, ctx), key: address.key };
}

function applicationOf(arn: string, ctx: SnsContext): PlatformTarget<string> {
  const { state, key } = targetOf(applicationType, 2, 'PlatformApplicationArn', arn, ctx);
  return { state, key: keyOfApplication(key) };
}

function endpointOf(arn: string, ctx: SnsContext): PlatformTarget<string> {
  const { state, key } = targetOf(endpointType, 3, 'EndpointArn', arn, ctx);
  return { state, key: textOfKey(key) };
}

function applicationAt(arn: string, ctx: SnsContext) {
  const { state, key } = applicationOf(arn, ctx);
  const application = state?.platform.application(key);
  if (!state || !application) throw notFound('PlatformApplication');
  return { state, key, application };
}

function endpointAt(arn: string, ctx: SnsContext) {
  const { state, key } = endpointOf(arn, ctx);
  const endpoint = state?.platform.endpoint(key);
  if (!state || !endpoint) throw notFound('Endpoint');
  return { state, key, endpoint };
}

/** Creates a platform application, or returns the existing one with this name and platform. */
export function CreatePlatformApplication(
  { Name, Platform, Attributes }: InputOf<'CreatePlatformApplication'>,
  { state }: SnsContext,
): OutputOf<'CreatePlatformApplication'> {
  checkApplicationName(Name);
  checkPlatform(Platform);
  checkCredentials(Platform, Attributes);
  checkApplicationAttributes(Attributes);
  const record = { platform: Platform, name: Name, attributes: { Enabled: 'true', ...withPlainEnabled(Attributes) } };
  const key = keyOfApplication(record);
  const PlatformApplicationArn = applicationType.arn(record, state);
  const existing = state.platform.application(key);
  if (!existing) state.platform.putApplication(record);
  else if (Object.entries(Attributes).some(([name, value]) => existing.attributes[name] !== value))
    throw invalidParameter(
      `Attributes Reason: PlatformApplication ${PlatformApplicationArn} already exists with different attributes`,
    );
  return { PlatformApplicationArn };
}

/** Deletes a platform application and its endpoints. Succeeds for an unknown one. */
export function DeletePlatformApplication(
  { PlatformApplicationArn }: InputOf<'DeletePlatformApplication'>,
  ctx: SnsContext,
): OutputOf<'DeletePlatformApplication'> {
  const { state, key } = applicationOf(PlatformApplicationArn, ctx);
  state?.platform.deleteApplication(key);
  return {};
}

/** Returns the attributes of a platform application. */
export function GetPlatformApplicationAttributes(
  { PlatformApplicationArn }: InputOf<'GetPlatformApplicationAttributes'>,
  ctx: SnsContext,
): OutputOf<'GetPlatformApplicationAttributes'> {
  const { application } = applicationAt(PlatformApplicationArn, ctx);
  return { Attributes: readableAttributes(application.attributes) };
}

/** Changes attributes of a platform application. */
export function SetPlatformApplicationAttributes(
  { PlatformApplicationArn, Attributes }: InputOf<'SetPlatformApplicationAttributes'>,
  ctx: SnsContext,
): OutputOf<'SetPlatformApplicationAttributes'> {
  const { state, key } = applicationAt(PlatformApplicationArn, ctx);
  checkApplicationAttributes(Attributes);
  state.platform.updateApplication(key, withPlainEnabled(Attributes));
  return {};
}

/** Lists the account's platform applications. */
export function ListPlatformApplications(
  input: InputOf<'ListPlatformApplications'>,
  { state }: SnsContext,
): OutputOf<'ListPlatformApplications'> {
  return paging
    .page('ListPlatformApplications', input, state.platform.listApplications(), keyOfApplication)
    .list((application) => ({
      PlatformApplicationArn: applicationType.arn(application, state),
      Attributes: readableAttributes(application.attributes),
    }));
}

/** Creates an endpoint of a platform application, or returns the existing one with this token. */
export function CreatePlatformEndpoint(
  { PlatformApplicationArn, Token, CustomUserData, Attributes = {} }: InputOf<'CreatePlatformEndpoint'>,
  ctx: SnsContext,
): OutputOf<'CreatePlatformEndpoint'> {
  const { state, key } = applicationAt(PlatformApplicationArn, ctx);
  if (!Token) throw invalidParameter('Token Reason: cannot be empty');
  checkEndpointAttributes(Attributes);
  const given: Record<string, string> = {
    ...withPlainEnabled(Attributes),
    ...(CustomUserData !== undefined && { CustomUserData }),
  };
  checkEndpointAttributes(given);
  const { platform } = state;
  for (const endpoint of platform.listEndpoints(key)) {
    if (endpoint.attributes.Token !== Token) continue;
    const EndpointArn = endpointArn(endpoint, state);
    if (Object.entries(given).some(([name, value]) => endpoint.attributes[name] !== value))
      throw invalidParameter(
        `Token Reason: Endpoint ${EndpointArn} already exists with the same Token, but different attributes.`,
      );
    return { EndpointArn };
  }
  const record = { application: key, id: ctx.ids.uuid(), attributes: { Enabled: 'true', ...given, Token } };
  platform.putEndpoint(record);
  return { EndpointArn: endpointArn(record, state) };
}

/** Deletes an endpoint. Succeeds for an unknown one. */
export function DeleteEndpoint(
  { EndpointArn }: InputOf<'DeleteEndpoint'>,
  ctx: SnsContext,
): OutputOf<'DeleteEndpoint'> {
  const { state, key } = endpointOf(EndpointArn, ctx);
  state?.platform.deleteEndpoint(key);
  return {};
}

/** Returns the attributes of an endpoint. */
export function GetEndpointAttributes(
  { EndpointArn }: InputOf<'GetEndpointAttributes'>,
  ctx: SnsContext,
): OutputOf<'GetEndpointAttributes'> {
  return { Attributes: { ...endpointAt(EndpointArn, ctx).endpoint.attributes } };
}

/** Changes attributes of an endpoint. */
export function SetEndpointAttributes(
  { EndpointArn, Attributes }: InputOf<'SetEndpointAttributes'>,
  ctx: SnsContext,
): OutputOf<'SetEndpointAttributes'> {
  const { state, key } = endpointAt(EndpointArn, ctx);
  checkEndpointAttributes(Attributes);
  state.platform.updateEndpoint(key, withPlainEnabled(Attributes));
  return {};
}

/** Lists the endpoints of a platform application. */
export function ListEndpointsByPlatformApplication(
  input: InputOf<'ListEndpointsByPlatformApplication'>,
  ctx: SnsContext,
): OutputOf<'ListEndpointsByPlatformApplication'> {
  const { state, key } = applicationAt(input.PlatformApplicationArn, ctx);
  return paging
    .page('ListEndpointsByPlatformApplication', input, state.platform.listEndpoints(key), ({ id }) => id)
    .list((endpoint) => ({
      EndpointArn: endpointArn(endpoint, state),
      Attributes: { ...endpoint.attributes },
    }));
}

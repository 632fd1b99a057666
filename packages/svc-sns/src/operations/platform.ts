import { snsArn } from '../arns.ts';
import { invalidParameter, notFound } from '../errors.ts';
import type {
  CreateEndpointResponse,
  CreatePlatformApplicationInput,
  CreatePlatformApplicationResponse,
  CreatePlatformEndpointInput,
  DeleteEndpointInput,
  DeletePlatformApplicationInput,
  GetEndpointAttributesInput,
  GetEndpointAttributesResponse,
  GetPlatformApplicationAttributesInput,
  GetPlatformApplicationAttributesResponse,
  ListEndpointsByPlatformApplicationInput,
  ListEndpointsByPlatformApplicationResponse,
  ListPlatformApplicationsInput,
  ListPlatformApplicationsResponse,
  SetEndpointAttributesInput,
  SetPlatformApplicationAttributesInput,
} from '../generated/sns.ts';
import { keyOfApplication, keyOfEndpoint } from '../mobile/platform.ts';
import {
  checkApplicationAttributes,
  checkApplicationName,
  checkCredentials,
  checkEndpointAttributes,
  checkPlatform,
  readableAttributes,
  withPlainEnabled,
} from '../mobile/platform-attributes.ts';
import { pageOf } from '../paging.ts';
import type { SnsState } from '../state.ts';
import { type SnsContext, stateOf } from './context.ts';

/** Where something of a mobile platform is. */
interface PlatformTarget {
  state: SnsState;
  key: string;
}

/** @throws AwsError `InvalidParameter` */
function targetOf(arn: string, parameter: string, ctx: SnsContext): PlatformTarget {
  const [kind, slashes] = parameter === 'EndpointArn' ? ['endpoint', 3] : ['app', 2];
  const parsed = snsArn(arn, parameter, ctx.region);
  if (parsed.resource.split('/').length !== Number(slashes) + 1)
    throw invalidParameter(`${parameter} Reason: Wrong number of slashes in relative portion of the ARN.`);
  if (!parsed.resource.startsWith(`${kind}/`)) throw invalidParameter(parameter);
  return { state: stateOf(parsed, ctx), key: parsed.resource.slice(`${kind}/`.length) };
}

function applicationAt(arn: string, ctx: SnsContext) {
  const target = targetOf(arn, 'PlatformApplicationArn', ctx);
  const application = target.state.platform.application(target.key);
  if (!application) throw notFound('PlatformApplication');
  return { ...target, application };
}

function endpointAt(arn: string, ctx: SnsContext) {
  const target = targetOf(arn, 'EndpointArn', ctx);
  const endpoint = target.state.platform.endpoint(target.key);
  if (!endpoint) throw notFound('Endpoint');
  return { ...target, endpoint };
}

/** Makes a platform application, or returns the one of that name and platform. */
export function CreatePlatformApplication(
  { Name, Platform, Attributes }: CreatePlatformApplicationInput,
  { state }: SnsContext,
): CreatePlatformApplicationResponse {
  checkApplicationName(Name);
  checkPlatform(Platform);
  checkCredentials(Platform, Attributes);
  checkApplicationAttributes(Attributes);
  const record = { platform: Platform, name: Name, attributes: { Enabled: 'true', ...withPlainEnabled(Attributes) } };
  const key = keyOfApplication(record);
  const PlatformApplicationArn = state.platform.arnOfApplication(key);
  const existing = state.platform.application(key);
  if (!existing) state.platform.putApplication(record);
  else if (Object.entries(Attributes).some(([name, value]) => existing.attributes[name] !== value))
    throw invalidParameter(
      `Attributes Reason: PlatformApplication ${PlatformApplicationArn} already exists with different attributes`,
    );
  return { PlatformApplicationArn };
}

/** Deletes a platform application with its endpoints; one that does not exist is gone already. */
export function DeletePlatformApplication(
  { PlatformApplicationArn }: DeletePlatformApplicationInput,
  ctx: SnsContext,
): Record<string, never> {
  const { state, key } = targetOf(PlatformApplicationArn, 'PlatformApplicationArn', ctx);
  state.platform.deleteApplication(key);
  return {};
}

/** Attributes of a platform application. */
export function GetPlatformApplicationAttributes(
  { PlatformApplicationArn }: GetPlatformApplicationAttributesInput,
  ctx: SnsContext,
): GetPlatformApplicationAttributesResponse {
  const { application } = applicationAt(PlatformApplicationArn, ctx);
  return { Attributes: readableAttributes(application.attributes) };
}

/** Changes attributes of a platform application. */
export function SetPlatformApplicationAttributes(
  { PlatformApplicationArn, Attributes }: SetPlatformApplicationAttributesInput,
  ctx: SnsContext,
): Record<string, never> {
  const { state, key } = applicationAt(PlatformApplicationArn, ctx);
  checkApplicationAttributes(Attributes);
  state.platform.updateApplication(key, withPlainEnabled(Attributes));
  return {};
}

/** Lists the account's platform applications. */
export function ListPlatformApplications(
  { NextToken }: ListPlatformApplicationsInput,
  { state }: SnsContext,
): ListPlatformApplicationsResponse {
  const { items, nextToken } = pageOf(state.platform.listApplications(), keyOfApplication, NextToken);
  return {
    PlatformApplications: items.map((application) => ({
      PlatformApplicationArn: state.platform.arnOfApplication(keyOfApplication(application)),
      Attributes: readableAttributes(application.attributes),
    })),
    NextToken: nextToken,
  };
}

/** Makes an endpoint of a platform application, or returns the one that has the token. */
export function CreatePlatformEndpoint(
  { PlatformApplicationArn, Token, CustomUserData, Attributes = {} }: CreatePlatformEndpointInput,
  ctx: SnsContext,
): CreateEndpointResponse {
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
    const EndpointArn = platform.arnOfEndpoint(keyOfEndpoint(endpoint));
    if (Object.entries(given).some(([name, value]) => endpoint.attributes[name] !== value))
      throw invalidParameter(
        `Token Reason: Endpoint ${EndpointArn} already exists with the same Token, but different attributes.`,
      );
    return { EndpointArn };
  }
  const record = { application: key, id: ctx.ids.uuid(), attributes: { Enabled: 'true', ...given, Token } };
  platform.putEndpoint(record);
  return { EndpointArn: platform.arnOfEndpoint(keyOfEndpoint(record)) };
}

/** Deletes an endpoint; one that does not exist is gone already. */
export function DeleteEndpoint({ EndpointArn }: DeleteEndpointInput, ctx: SnsContext): Record<string, never> {
  const { state, key } = targetOf(EndpointArn, 'EndpointArn', ctx);
  state.platform.deleteEndpoint(key);
  return {};
}

/** Attributes of an endpoint. */
export function GetEndpointAttributes(
  { EndpointArn }: GetEndpointAttributesInput,
  ctx: SnsContext,
): GetEndpointAttributesResponse {
  return { Attributes: { ...endpointAt(EndpointArn, ctx).endpoint.attributes } };
}

/** Changes attributes of an endpoint. */
export function SetEndpointAttributes(
  { EndpointArn, Attributes }: SetEndpointAttributesInput,
  ctx: SnsContext,
): Record<string, never> {
  const { state, key } = endpointAt(EndpointArn, ctx);
  checkEndpointAttributes(Attributes);
  state.platform.updateEndpoint(key, withPlainEnabled(Attributes));
  return {};
}

/** Lists the endpoints of a platform application. */
export function ListEndpointsByPlatformApplication(
  { PlatformApplicationArn, NextToken }: ListEndpointsByPlatformApplicationInput,
  ctx: SnsContext,
): ListEndpointsByPlatformApplicationResponse {
  const { state, key } = applicationAt(PlatformApplicationArn, ctx);
  const { items, nextToken } = pageOf(state.platform.listEndpoints(key), ({ id }) => id, NextToken);
  return {
    Endpoints: items.map((endpoint) => ({
      EndpointArn: state.platform.arnOfEndpoint(keyOfEndpoint(endpoint)),
      Attributes: { ...endpoint.attributes },
    })),
    NextToken: nextToken,
  };
}

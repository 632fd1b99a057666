import type { ImportApiRequest, InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import { stringify } from 'yaml';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest } from '../errors.ts';
import { applyDefinition, checkDefinition, clearDefined } from '../openapi/applying.ts';
import { type BasePath, type Definition, definitionOf } from '../openapi/definition.ts';
import { readDocument } from '../openapi/document.ts';
import { openApiOf } from '../openapi/export.ts';
import type { ApiRecord } from '../records.ts';
import { apiIdFor, apis } from '../resources/apis.ts';
import { stages } from '../resources/stages.ts';
import { tagging } from '../tags.ts';
import { HTTP_SELECTION, KEY_SELECTION } from '../validation/api.ts';

const BASE_PATHS: ReadonlySet<string> = new Set(['ignore', 'prepend', 'split']);

/**
 * Parses and validates the definition of an import request.
 * @param name name of the API, which stays if the definition has no title
 * @throws AwsError `BadRequestException` and others
 */
function imported(
  { Body, Basepath = 'ignore', FailOnWarnings = false }: Omit<ImportApiRequest, 'ApiId'>,
  ctx: Apigatewayv2Context,
  name?: string,
): Definition {
  if (!BASE_PATHS.has(Basepath)) throw badRequest(`Invalid basepath specified: ${Basepath}`);
  const definition = definitionOf(readDocument(Body, ctx), Basepath as BasePath, name);
  checkDefinition(definition, FailOnWarnings);
  return definition;
}

/** Returns the members of the API itself in a definition. */
const membersOf = ({ name, description, version, cors, disablesEndpoint, warnings }: Definition) => ({
  Name: name,
  DisableExecuteApiEndpoint: disablesEndpoint,
  ...(description !== undefined && { Description: description }),
  ...(version !== undefined && { Version: version }),
  ...(cors && { CorsConfiguration: cors }),
  ...(warnings.length > 0 && { Warnings: [...warnings] }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html#ImportApi */
export function ImportApi(input: InputOf<'ImportApi'>, ctx: Apigatewayv2Context): OutputOf<'ImportApi'> {
  const definition = imported(input, ctx);
  const Tags = tagging.merge(undefined, definition.tags);
  const ApiId = apiIdFor(Tags, ctx);
  const record = ctx.state.apis.put(ApiId, {
    ...membersOf(definition),
    ApiId,
    ProtocolType: 'HTTP',
    RouteSelectionExpression: HTTP_SELECTION,
    ApiKeySelectionExpression: KEY_SELECTION,
    IpAddressType: 'ipv4',
    Tags,
    createdAt: ctx.clock.now(),
  });
  applyDefinition(ApiId, definition, ctx);
  return apis.describe(record, ctx, {});
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#ReimportApi */
export function ReimportApi(input: InputOf<'ReimportApi'>, ctx: Apigatewayv2Context): OutputOf<'ReimportApi'> {
  const api = apis.find(input, ctx);
  if (api.ProtocolType !== 'HTTP') throw badRequest('Only HTTP APIs can be imported');
  const definition = imported(input, ctx, api.Name);
  const { Description: _d, Version: _v, CorsConfiguration: _c, Warnings: _w, ...kept } = api as ApiRecord;
  clearDefined(api.ApiId, ctx);
  const record = ctx.state.apis.put(api.ApiId, {
    ...kept,
    ...membersOf(definition),
    Tags: tagging.merge(api.Tags, definition.tags),
  });
  applyDefinition(api.ApiId, definition, ctx);
  ctx.state.changed(api.ApiId);
  return apis.describe(record, ctx, {});
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-exports-specification.html#ExportApi */
export function ExportApi(input: InputOf<'ExportApi'>, ctx: Apigatewayv2Context): OutputOf<'ExportApi'> {
  const api = apis.find(input, ctx);
  const { OutputType, Specification, StageName, ExportVersion = '1.0', IncludeExtensions = true } = input;
  if (api.ProtocolType !== 'HTTP') throw badRequest('Only HTTP APIs can be exported');
  if (Specification !== 'OAS30') throw badRequest(`Invalid specification specified: ${Specification}`);
  if (ExportVersion !== '1.0') throw badRequest(`Invalid export version specified: ${ExportVersion}`);
  if (OutputType !== 'JSON' && OutputType !== 'YAML') throw badRequest(`Invalid output type specified: ${OutputType}`);
  const { state } = ctx;
  const stage = StageName === undefined ? undefined : stages.find({ ApiId: api.ApiId, StageName }, ctx);
  const configuration = stage ? state.deployed(api.ApiId, stage) : state.configurationOf(api.ApiId);
  if (!configuration) throw badRequest(`Nothing is deployed to the stage ${StageName}`);
  const document = openApiOf(api, configuration, state, IncludeExtensions);
  return { body: Buffer.from(OutputType === 'JSON' ? JSON.stringify(document, null, 2) : stringify(document)) };
}

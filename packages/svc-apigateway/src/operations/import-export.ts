import { parseYaml } from '@emu/core/yaml';
import type { EndpointType, InputOf, OutputOf } from '@emu/service-types/apigateway';
import { isObject, refuseCrowded } from '@emu/wire';
import { createApi, describeApi } from '../apis/api.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiOf, stageOf } from '../lookup.ts';
import { nodeOf, OpenApi, scalarText } from '../openapi/document.ts';
import { exportDocument, printDocument } from '../openapi/export.ts';
import { type ImportOptions, importDocument, partsOf, putPart, readDocument } from '../openapi/import.ts';

type Parameters = Readonly<Record<string, string>>;

function basePathOf(parameters: Parameters = {}): ImportOptions['basePath'] {
  const given = parameters.basepath ?? parameters.basePath ?? 'ignore';
  if (given !== 'ignore' && given !== 'prepend' && given !== 'split')
    throw badRequest(`Invalid basepath specified: ${given}. Valid options are ignore, prepend, split`);
  return given;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_ImportRestApi.html */
export function ImportRestApi(input: InputOf<'ImportRestApi'>, ctx: ApigatewayContext): OutputOf<'ImportRestApi'> {
  const { parameters = {}, failOnWarnings = false } = input;
  const document = readDocument(input.body, ctx);
  const basePath = basePathOf(parameters);
  const types = (parameters.endpointConfigurationTypes ?? '')
    .split(',')
    .filter((type) => type !== '') as EndpointType[];
  const vpcEndpointIds = (parameters.endpointConfigurationVpcEndpointIds ?? '').split(',').filter((id) => id !== '');
  const api = createApi(
    {
      name: scalarText(nodeOf(document.root.info).title) || 'Imported API',
      ...(types.length > 0 && {
        endpointConfiguration: { types, ...(vpcEndpointIds.length > 0 && { vpcEndpointIds }) },
      }),
      ...(parameters.disableExecuteApiEndpoint !== undefined && {
        disableExecuteApiEndpoint: parameters.disableExecuteApiEndpoint === 'true',
      }),
    },
    ctx,
  );
  try {
    return describeApi(importDocument(document, api, { mode: 'overwrite', basePath, failOnWarnings }, ctx), ctx.state);
  } catch (error) {
    ctx.state.deleteApi(api.id);
    throw error;
  }
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutRestApi.html */
export function PutRestApi(input: InputOf<'PutRestApi'>, ctx: ApigatewayContext): OutputOf<'PutRestApi'> {
  const { restApiId, mode = 'merge', parameters, failOnWarnings = false } = input;
  const api = apiOf(restApiId, ctx);
  const document = readDocument(input.body, ctx);
  const options = { mode, basePath: basePathOf(parameters), failOnWarnings };
  return { tags: {}, ...describeApi(importDocument(document, api, options, ctx), ctx.state) };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_ImportDocumentationParts.html */
export function ImportDocumentationParts(
  input: InputOf<'ImportDocumentationParts'>,
  ctx: ApigatewayContext,
): OutputOf<'ImportDocumentationParts'> {
  const { restApiId, mode = 'merge' } = input;
  apiOf(restApiId, ctx);
  const text = Buffer.from(input.body ?? []).toString();
  const root = OpenApi.read(text)?.root ?? plainOf(text);
  if (!isObject(root)) throw badRequest('Unable to build importer with provided input.');
  const parts = partsOf(root, ctx);
  if (mode === 'overwrite') ctx.state.parts.clear(restApiId);
  return { ids: parts.map((part) => putPart(restApiId, part, ctx)) };
}

/** Parses a document with documentation parts only. */
function plainOf(text: string): unknown {
  refuseCrowded(text, 'yaml');
  try {
    return parseYaml(text, { maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetExport.html */
export function GetExport(input: InputOf<'GetExport'>, ctx: ApigatewayContext): OutputOf<'GetExport'> {
  const { restApiId, stageName, exportType, parameters = {}, accepts = 'application/json' } = input;
  const { state } = ctx;
  const api = apiOf(restApiId, ctx);
  const stage = stageOf(input, ctx);
  if (exportType !== 'swagger' && exportType !== 'oas30')
    throw badRequest(`No API exporter for type '${exportType}'. Valid options are swagger, oas30`);
  const yaml = accepts === 'application/yaml';
  if (!yaml && accepts !== 'application/json') throw badRequest(`Invalid content type specified: ${accepts}`);
  const deployment = state.deployments.get(restApiId, stage.deploymentId);
  if (!deployment) throw notFound('Invalid Deployment identifier specified');
  const extensions = new Set((parameters.extensions ?? '').split(',').map((one) => one.trim()));
  const parts =
    stage.documentationVersion === undefined
      ? []
      : (state.versions.get(restApiId, stage.documentationVersion)?.parts ?? []);
  const version = api.version ?? new Date(deployment.createdAt).toISOString().replace(/\.\d+Z$/, 'Z');
  const document = exportDocument({
    api,
    definition: deployment.definition,
    title: api.name,
    description: api.description,
    version,
    host: `${restApiId}.execute-api.${state.region}.amazonaws.com`,
    stage: stageName,
    extensions,
    parts,
    isV3: exportType === 'oas30',
  });
  return {
    // Recorded from AWS, independent of the document's format.
    contentType: 'application/octet-stream',
    contentDisposition: `attachment; filename="${exportType}_${version}.${yaml ? 'yaml' : 'json'}"`,
    body: Buffer.from(printDocument(document, yaml)),
  };
}

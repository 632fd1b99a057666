import type { DeclareRoute, LambdaLayer, ResourceUrl } from '@emu/control-client';
import {
  ControlError,
  type ControlRequest,
  type ControlRoute,
  controlRoute,
  readAtMost,
  type ServiceHandle,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { unzippedTooLarge } from './code/code.ts';
import { importedLayers, importLayer, type LayerAddress, layerAddress, removeImport } from './code/layer-imports.ts';
import { LATEST } from './function-name.ts';
import { LIMITS } from './limits.ts';
import type { LayerVersion } from './records.ts';
import { layerVersionType } from './resources.ts';
import type { LambdaState } from './state.ts';
import { functionUrl } from './urls/function-url.ts';
import { URL_PATH } from './urls/url-path.ts';

type Service = ServiceHandle<LambdaState>;

const route: DeclareRoute<Service, ControlRoute<LambdaState>> = controlRoute;

/** A downloadable body and its state. */
interface Download {
  state: LambdaState;
  body: string;
}

/**
 * Searches the region in the query, otherwise the server's region and then all others of the account.
 * @throws ControlError 404
 */
function download(
  { params, query }: ControlRequest,
  service: Service,
  bodyIn: (state: LambdaState) => string | undefined,
): { contentType: string; body: AsyncIterable<Uint8Array> } {
  const region = query.get('region') ?? undefined;
  const found: Download[] = [];
  for (const { accountId, region: other, state } of service.states()) {
    if (accountId !== params.account_id || (region !== undefined && other !== region)) continue;
    const body = bodyIn(state);
    if (body === undefined) continue;
    if (other === service.settings.region) found.unshift({ state, body });
    else found.push({ state, body });
  }
  const [first] = found;
  if (!first) throw new ControlError(404, 'NotFound', `there is no ${params.file} of ${nameOf(params)}`);
  return { contentType: 'application/zip', body: first.state.bodies.read(first.body) };
}

const nameOf = (params: ControlRequest['params']): string => params.function_name ?? params.layer_name ?? '';

/**
 * Returns the version of a file name.
 * @throws ControlError 404 for other names
 */
function versionOf(file: string | undefined): string {
  const [, version] = /^(latest|[\w$.-]+)\.zip$/.exec(file ?? '') ?? [];
  if (version === undefined) throw new ControlError(404, 'NotFound', `there is no file ${file}`);
  return version;
}

/** Package of a function. */
const functionCode = route(
  'GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}',
  (request, service) => {
    const version = versionOf(request.params.file);
    const key = `${request.params.function_name}:${version === 'latest' ? LATEST : version}`;
    return download(request, service, (state) => state.versions.get(key)?.code.body);
  },
);

/** Package of a layer version, as long as it exists or a function uses it: Pods of functions fetch it. */
const layerContent = route(
  'GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}',
  (request, service) => {
    const version = versionOf(request.params.file);
    const { account_id: accountId, layer_name: name } = request.params;
    return download(request, service, (state) => {
      const number = version === 'latest' ? state.layers.get(name)?.lastVersion : version;
      const published = state.layerVersions.get(`${name}:${number}`)?.code.body;
      return published ?? bodyInUse(`:${state.region}:${accountId}:layer:${name}:${number}`, service);
    });
  },
);

/** Returns the body of a deleted layer version that a function still uses. @param suffix of its ARN */
function bodyInUse(suffix: string, service: Service): string | undefined {
  for (const { state } of service.states())
    for (const { config } of state.versions.values()) {
      const used = config.layers.find(({ arn }) => arn.endsWith(suffix));
      if (used?.body !== undefined) return used.body;
    }
  return undefined;
}

/** @throws ControlError 400 for a malformed ARN */
function addressOf({ params }: ControlRequest): LayerAddress {
  const address = layerAddress(params.arn ?? '');
  if (!address) throw new ControlError(400, 'InvalidParameter', `${params.arn} is not the ARN of a layer version.`);
  return address;
}

/** Returns an imported layer version as the route shows it. */
const importedLayer = (state: LambdaState, { layerName, version, code, createdAt }: LayerVersion): LambdaLayer => ({
  arn: layerVersionType.arn({ name: layerName, version: String(version) }, state),
  codeSize: code.size,
  importedAt: new Date(createdAt).toISOString(),
});

const listLayers = route('GET /_emulator/lambda/layers', (_request, service) => ({
  json: { layers: [...importedLayers(service)].map(({ state, layer }) => importedLayer(state, layer)) },
}));

const addLayer = {
  ...route('PUT /_emulator/lambda/layers/{arn}', async (request, service) => {
    const address = addressOf(request);
    const bytes = await readAtMost(request.body as AsyncIterable<Uint8Array>, LIMITS.unzippedSize);
    try {
      if (!bytes) throw unzippedTooLarge();
      const layer = await importLayer(address, bytes, service);
      return { json: importedLayer(service.state(address.accountId, address.region), layer) };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw new ControlError(error.code === 'ResourceConflictException' ? 409 : 400, error.code, error.message);
    }
  }),
  takesBytes: true as const,
};

const removeLayer = route('DELETE /_emulator/lambda/layers/{arn}', (request, service) => {
  const address = addressOf(request);
  if (!removeImport(address, service))
    throw new ControlError(404, 'NotFound', `Layer version ${request.params.arn} is not imported.`);
  return { json: {} };
});

/** Lists the local addresses of all function URLs. */
const urls = route('GET /_emulator/lambda/urls', ({ endpoint }, service) => {
  const found: ResourceUrl[] = [];
  for (const { accountId, region, state } of service.states())
    for (const { id, functionName, qualifier } of state.functionUrls.values())
      found.push({
        accountId,
        region,
        name: qualifier === undefined ? functionName : `${functionName}:${qualifier}`,
        url: functionUrl(id, region, endpoint, service.settings.domain),
        pathUrl: `${endpoint}${URL_PATH}${id}/`,
      });
  return { json: { urls: found } };
});

/** Lambda's control routes for packages and imported layers. */
export const control: readonly ControlRoute<LambdaState>[] = [
  functionCode,
  layerContent,
  listLayers,
  addLayer,
  removeLayer,
  urls,
];

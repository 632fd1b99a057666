import type { ResourceUrl } from '../records/common.ts';
import type {
  LambdaInvocation,
  LambdaLayer,
  LambdaLogLine,
  LambdaLogQuery,
  LambdaWarmContainer,
} from '../records/lambda.ts';
import { bytes, json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Lambda. */
export const lambda = {
  /** Lists recorded invocations, oldest first. `GET /_emulator/lambda/invocations` */
  invocations: json<{ invocations: LambdaInvocation[] }>()('GET /_emulator/lambda/invocations'),

  /**
   * Lists log lines of functions and of Lambda, oldest first. `GET /_emulator/lambda/logs`
   * @param options all lines by default; `limit`: number of newest lines, up to 10,000, by default 1,000; `since`: ISO
   * 8601
   * @throws ApiError 400 for an invalid `since`, or a `limit` out of range
   */
  logs: json<{ lines: LambdaLogLine[] }>()(
    'GET /_emulator/lambda/logs',
    (
      options: { functionName?: string; requestId?: string; since?: string; limit?: number } = {},
    ): { query?: LambdaLogQuery } => {
      const { functionName, requestId, since, limit } = options;
      return { query: { function_name: functionName, request_id: requestId, since, limit } };
    },
  ),

  /** Lists the local addresses of all function URLs. `GET /_emulator/lambda/urls` */
  urls: json<{ urls: ResourceUrl[] }>()('GET /_emulator/lambda/urls'),

  /** Lists the existing execution environments. `GET /_emulator/lambda/warm-containers` */
  warmContainers: json<{ containers: LambdaWarmContainer[] }>()('GET /_emulator/lambda/warm-containers'),

  /**
   * Ends the execution environments of a function, so that its next invocation is a cold start. `POST
   * /_emulator/lambda/{function_name}/evict-container`
   * @returns the number of ended environments
   * @throws ApiError 404 for an unknown function
   */
  evictContainers: json<{ evictedContainers: number }>()(
    'POST /_emulator/lambda/{function_name}/evict-container',
    (functionName: string) => ({
      params: { function_name: functionName },
    }),
  ),

  /**
   * Downloads the ZIP file of a layer version. `GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}`
   * @param options `region`: by default the server's, otherwise any region of the account
   * @throws ApiError 404 for an unknown layer version
   */
  layerContent: bytes(
    'GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}',
    (accountId: string, layerName: string, version: number, options?: { region?: string }) => ({
      params: { account_id: accountId, layer_name: layerName, file: `${version}.zip` },
      query: options,
    }),
  ),

  /** Lists imported layers of all accounts and regions. `GET /_emulator/lambda/layers` */
  layers: json<{ layers: LambdaLayer[] }>()('GET /_emulator/lambda/layers'),

  /**
   * Imports a layer version of any account, such as a public one of AWS, for everyone. Functions that use it get its
   * content. `PUT /_emulator/lambda/layers/{arn}`
   * @param arn ARN of the layer version
   * @param file ZIP file
   * @throws ApiError 400 for a malformed ARN, an invalid file, or one too large when unzipped; 409 if the account
   * published this version itself
   */
  importLayer: json<LambdaLayer>()('PUT /_emulator/lambda/layers/{arn}', (arn: string, file: Uint8Array) => ({
    params: { arn },
    body: file,
  })),

  /**
   * Removes an imported layer version; functions that use it keep it. `DELETE /_emulator/lambda/layers/{arn}`
   * @throws ApiError 404 if it is not imported
   */
  removeLayer: json<Record<string, never>>()('DELETE /_emulator/lambda/layers/{arn}', (arn: string) => ({
    params: { arn },
  })),

  /**
   * Downloads the deployment package of a function. `GET
   * /_emulator/lambda/function-code/{account_id}/{function_name}/{file}`
   * @param options `version`: a published version, by default the latest code; `region`: by default the server's,
   * otherwise any region of the account
   * @throws ApiError 404 for an unknown function or version
   */
  functionCode: bytes(
    'GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}',
    (
      accountId: string,
      functionName: string,
      options: { version?: number; region?: string } = {},
    ): { params: { account_id: string; function_name: string; file: string }; query?: { region?: string } } => {
      const { version = 'latest', region } = options;
      return {
        params: { account_id: accountId, function_name: functionName, file: `${version}.zip` },
        query: { region },
      };
    },
  ),
};

/** Methods for the control routes of Lambda. */
export interface LambdaControl extends MethodsOf<typeof lambda> {}

/** Control routes of Lambda by name. */
export type LambdaRoutes = RoutesOf<typeof lambda>;

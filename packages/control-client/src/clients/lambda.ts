import type { LambdaInvocation, LambdaLogLine, LambdaWarmContainer } from '../routes/lambda.ts';
import { AreaControl } from './area.ts';

/** Control routes of Lambda. */
export class LambdaControl extends AreaControl {
  /** Recorded invocations, oldest first. `GET /_emulator/lambda/invocations` */
  invocations(): Promise<{ invocations: LambdaInvocation[] }> {
    return this.transport.json('GET /_emulator/lambda/invocations');
  }

  /**
   * What functions wrote, and Lambda about them, oldest first. `GET /_emulator/lambda/logs`
   * @param options all lines by default; `limit`: how many of the newest, up to 10,000, by default 1,000; `since`: ISO 8601
   * @throws ApiError 400 for a `since` that is no time, or a `limit` out of range
   */
  logs(
    options: { functionName?: string; requestId?: string; since?: string; limit?: number } = {},
  ): Promise<{ lines: LambdaLogLine[] }> {
    const { functionName, requestId, since, limit } = options;
    return this.transport.json('GET /_emulator/lambda/logs', {
      query: { function_name: functionName, request_id: requestId, since, limit },
    });
  }

  /** Execution environments that are up. `GET /_emulator/lambda/warm-containers` */
  warmContainers(): Promise<{ containers: LambdaWarmContainer[] }> {
    return this.transport.json('GET /_emulator/lambda/warm-containers');
  }

  /**
   * Ends a function's execution environments, so that its next invocation is a cold start.
   * `POST /_emulator/lambda/{function_name}/evict-container`
   * @returns how many were ended
   * @throws ApiError 404 for an unknown function
   */
  evictContainers(functionName: string): Promise<{ evictedContainers: number }> {
    return this.transport.json('POST /_emulator/lambda/{function_name}/evict-container', {
      params: { function_name: functionName },
    });
  }

  /**
   * Downloads a layer version's ZIP file. `GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}`
   * @param options `region`: by default the server's, then any region of the account
   * @throws ApiError 404 for an unknown layer version
   */
  layerContent(
    accountId: string,
    layerName: string,
    version: number,
    options?: { region?: string },
  ): Promise<Uint8Array> {
    return this.transport.bytes('GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}', {
      params: { account_id: accountId, layer_name: layerName, file: `${version}.zip` },
      query: options,
    });
  }

  /**
   * Downloads a function's deployment package. `GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}`
   * @param options `version`: a published version, by default the latest code; `region`: by default the server's, then
   *   any region of the account
   * @throws ApiError 404 for an unknown function or version
   */
  functionCode(
    accountId: string,
    functionName: string,
    options: { version?: number; region?: string } = {},
  ): Promise<Uint8Array> {
    const { version = 'latest', region } = options;
    return this.transport.bytes('GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}', {
      params: { account_id: accountId, function_name: functionName, file: `${version}.zip` },
      query: { region },
    });
  }
}

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Cluster } from './cluster.ts';
import { MAIN } from './manifest.ts';

/**
 * Follows the output of a Pod's main container until it ends. The client's own implementation ends the process if the
 * connection breaks.
 * @param since requests output from then on, after a broken connection
 * @returns whether the API returned the output; false if it could not be reached or rejected the request
 */
export async function followLog(
  { config, namespace }: Cluster,
  pod: string,
  { onData, since, signal }: { onData: (chunk: Buffer) => void; since?: Date; signal: AbortSignal },
): Promise<boolean> {
  const url = new URL(`${config.getCurrentCluster()!.server}/api/v1/namespaces/${namespace}/pods/${pod}/log`);
  url.searchParams.set('container', MAIN);
  url.searchParams.set('follow', 'true');
  if (since) url.searchParams.set('sinceTime', since.toISOString());
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options as Parameters<typeof config.applyToHTTPSOptions>[0]);
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = open(url, { ...options, signal }, (response: IncomingMessage) => {
      response.on('error', () => resolve(false));
      response.once('close', () => resolve(response.statusCode === 200));
      if (response.statusCode === 200) response.on('data', onData);
      else response.resume();
    });
    request.on('error', () => resolve(false));
    request.end();
  });
}

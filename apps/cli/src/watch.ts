import { resolve } from 'node:path';
import { health } from './control.ts';
import { Failure } from './failure.ts';

/**
 * Makes a function run the code of a directory from now on.
 * @param base URL of the emulator
 * @param name name or ARN of the function
 * @throws Failure without a response, or if the function or the directory is rejected
 */
export async function watch(base: string, region: string, name: string, directory: string): Promise<void> {
  // The server at this URL may be another one that AWS clients use.
  await health(base);
  const path = resolve(directory);
  const response = await fetch(`${base}/2015-03-31/functions/${encodeURIComponent(name)}/code`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/lambda/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify({ S3Bucket: 'hot-reload', S3Key: path }),
  });
  if (!response.ok) {
    const { Message, message } = (await response.json()) as { Message?: string; message?: string };
    throw new Failure(Message ?? message ?? `${base} returned status ${response.status}.`);
  }
  process.stdout.write(`${name} runs the current code in ${path} at each invocation\n`);
}

import { parseArn } from '@emu/core/service';

const INVOCATIONS = /^\d{4}-\d{2}-\d{2}\/functions\/(.+)\/invocations$/;

/**
 * Returns the ARN of an integration's function, from its own ARN or that of its Invoke operation.
 * @returns undefined for other URIs
 */
export function functionOf(uri: string): string | undefined {
  const arn = parseArn(uri);
  if (arn?.service === 'lambda') return uri;
  if (arn?.service !== 'apigateway') return undefined;
  // arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function>/invocations
  const path = arn.accountId === 'lambda' && arn.resource.startsWith('path/') ? arn.resource.slice('path/'.length) : '';
  return INVOCATIONS.exec(path)?.[1];
}

import type { DeepReadonly } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import type { Call } from '../call.ts';
import { GatewayFault } from '../fault.ts';
import { render } from '../mapping.ts';
import { textBody } from './text-body.ts';

const unsupported = (): GatewayFault =>
  new GatewayFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type', 'BadRequestException');

/** Returns the media type of a content type, without parameters. */
const mediaType = (type: string | undefined): string =>
  (type ?? 'application/json').split(';')[0]!.trim().toLowerCase();

/**
 * Returns the request body, converted by content handling; non-binary media types are read as UTF-8.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
export function sentBody(call: Call, { contentHandling }: DeepReadonly<Integration>): Buffer {
  const { headers, body } = call.request;
  if (call.isBinary(headers.get('content-type')))
    return contentHandling === 'CONVERT_TO_TEXT' ? Buffer.from(body.toString('base64')) : body;
  return contentHandling === 'CONVERT_TO_BINARY' ? Buffer.from(body.toString(), 'base64') : textBody(body);
}

/**
 * Returns the request body for an integration as bytes; see `mappedBody`.
 * @throws GatewayFault
 */
export async function requestBody(call: Call, integration: DeepReadonly<Integration>): Promise<Buffer> {
  const body = await mappedBody(call, integration);
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/**
 * Returns the request body for an integration: from its template, or unchanged by passthrough.
 * @throws GatewayFault if no template matches the content type without passthrough, or the template fails
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html
 * @returns text from a template, bytes otherwise
 */
export async function mappedBody(call: Call, integration: DeepReadonly<Integration>): Promise<Buffer | string> {
  const { headers } = call.request;
  const { requestTemplates = {}, passthroughBehavior, contentHandling } = integration;
  const type = mediaType(headers.get('content-type'));
  const binary = call.isBinary(headers.get('content-type'));
  const body = sentBody(call, integration);
  const names = Object.keys(requestTemplates);
  const name = names.find((one) => mediaType(one) === type) ?? names.find((one) => one === '$default');
  const template = name === undefined ? undefined : requestTemplates[name];
  if (name === undefined) {
    if (passthroughBehavior === 'NEVER') throw unsupported();
    if (passthroughBehavior === 'WHEN_NO_TEMPLATES' && names.length > 0) throw unsupported();
    return body;
  }
  // Binary bodies cannot be mapped.
  if (!template || (binary && contentHandling !== 'CONVERT_TO_TEXT')) return body;
  return render(call, template, body);
}

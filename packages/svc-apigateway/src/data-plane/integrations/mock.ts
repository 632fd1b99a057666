import { Fields } from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import type { Call, CallAnswer } from '../call.ts';
import { configurationFault } from '../fault.ts';
import { mappedBody } from './request-body.ts';
import { mapAnswer } from './response.ts';

const NO_HEADERS = Fields.headers();
const NO_BODY = Buffer.alloc(0);
const STATUS = /["']?statusCode["']?\s*:\s*["']?(\d{3})\b/;

/**
 * Evaluates a mock integration, whose request template determines the status.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
export async function callMock(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const mapped = (await mappedBody(call, integration)).toString();
  const status = STATUS.exec(mapped)?.[1];
  if (status === undefined)
    throw configurationFault(
      'Unable to parse statusCode. It should be an integer that is defined in the request template.',
    );
  // The response template has access to the parameters, and an empty body.
  return mapAnswer(call, integration, { headers: NO_HEADERS, body: NO_BODY, selector: status });
}

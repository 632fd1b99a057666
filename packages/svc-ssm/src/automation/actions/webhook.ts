import { fetchFor } from '@emu/core/outgoing';
import { isObject, jsonOrText, textOf } from '@emu/wire';
import type { JsonObject } from '../../documents/content.ts';
import { INTEGRATIONS } from '../../parameters/writing.ts';
import { StepFailure } from '../failures.ts';
import type { StepContext } from '../types.ts';
import { callApi } from './api.ts';
import type { Action } from './types.ts';

/** Default timeout of the request, in seconds. */
const TIMEOUT = 30;
/** Maximum number of response characters that are stored. */
const MAX_RESPONSE = 100_000;

const failed = (message: string): StepFailure => new StepFailure(message, 'Invocation', 'WebhookFailed');

/**
 * Returns the URL of an integration, which is stored in a parameter.
 * @throws StepFailure if the parameter or its URL is missing
 */
async function addressOf(step: StepContext): Promise<string> {
  const Name = `${INTEGRATIONS}${textOf(step.inputs.IntegrationName!)}`;
  const { Parameter } = await callApi(step, 'ssm', 'GetParameter', { Name, WithDecryption: true });
  const value = isObject(Parameter) ? textOf(Parameter.Value ?? '') : '';
  const content = jsonOrText(value);
  const url = isObject(content) ? textOf(content.url ?? content.Url ?? '') : value;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw failed(`The integration ${textOf(step.inputs.IntegrationName!)} has no URL.`);
  return url;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/invoke-webhook.html */
export const invokeWebhook: Action = {
  timeout: TIMEOUT,
  async run(step) {
    const url = await addressOf(step);
    const { Body } = step.inputs;
    let response: Response;
    let text: string;
    try {
      response = await fetchFor(step.run.automations.scope.service.names, url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        redirect: 'manual',
        signal: step.signal,
        ...(Body !== undefined && { body: textOf(Body) }),
      });
      text = await response.text();
    } catch (error) {
      if (step.signal.aborted) throw step.signal.reason;
      throw failed(`The webhook could not be called: ${(error as Error).message}`);
    }
    const outputs: JsonObject = { Response: text.slice(0, MAX_RESPONSE), ResponseCode: String(response.status) };
    if (!response.ok) throw failed(`The webhook answered ${response.status}: ${outputs.Response}`);
    return { outputs };
  },
};

import { parseArn } from '@emu/core/service';
import type { Json } from '@emu/polling';
import type { PipeTargetHttpParameters } from '@emu/service-types/pipes';
import { jsonOrText, textOf } from '@emu/wire';
import { callerFor } from './addresses.ts';
import { StepFailure } from './failure.ts';
import type { PipeWork } from './work.ts';

/**
 * Invokes a function.
 * @param waits whether to wait for its response
 * @returns the response; undefined if it is empty or was not awaited
 * @throws AwsError from Lambda; StepFailure from the function
 */
export async function invokeFunction(
  work: PipeWork,
  arn: string,
  input: Json,
  cause: string | undefined,
  waits = true,
): Promise<Json | undefined> {
  const invocation = {
    FunctionName: arn,
    InvocationType: waits ? 'RequestResponse' : 'Event',
    Payload: Buffer.from(JSON.stringify(input)),
  } as const;
  const answer = await work.state.call('lambda', 'Invoke', invocation, callerFor(work, arn, cause));
  if (!waits) return undefined;
  const text = answer.Payload === undefined ? '' : await textOfPayload(answer.Payload);
  if (answer.FunctionError !== undefined)
    throw new StepFailure({ message: 'The function failed.', status: 200, service: 'lambda', details: text });
  return text === '' ? undefined : jsonOrText(text);
}

async function textOfPayload(payload: unknown): Promise<string> {
  if (payload instanceof Uint8Array) return Buffer.from(payload).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Runs an express state machine to its end.
 * @throws AwsError from Step Functions; StepFailure for an unsuccessful execution
 */
export async function runMachine(
  work: PipeWork,
  arn: string,
  input: Json,
  cause: string | undefined,
): Promise<Json | undefined> {
  const execution = { stateMachineArn: arn, input: JSON.stringify(input) };
  const options = callerFor(work, arn, cause);
  const answer = await work.state.call('stepfunctions', 'StartSyncExecution', execution, options);
  if (answer.status !== 'SUCCEEDED')
    throw new StepFailure({
      message: `The execution ended as ${answer.status}.`,
      status: 200,
      service: 'states',
      details: answer.cause ?? answer.error ?? '',
    });
  return answer.output === undefined ? undefined : jsonOrText(answer.output);
}

/**
 * Sends a request to an API destination or to API Gateway.
 * @returns the response body
 * @throws AwsError from EventBridge; StepFailure for an unsuccessful response
 */
export async function sendHttp(
  work: PipeWork,
  arn: string,
  parameters: PipeTargetHttpParameters,
  body: Json,
  cause: string | undefined,
): Promise<Json | undefined> {
  const input = { Arn: arn, HttpParameters: parameters, Body: textOf(body) };
  // API destinations are in the region of the pipe.
  const options = { ...callerFor(work, arn, cause), accountId: work.state.accountId };
  const { Status, Body, Message } = await work.state.call('events', 'SendHttpRequest', input, options);
  if (Status < 200 || Status > 299)
    throw new StepFailure({ message: Message, status: Status, service: parseArn(arn)!.service, details: Body });
  return Body === '' ? undefined : jsonOrText(Body);
}

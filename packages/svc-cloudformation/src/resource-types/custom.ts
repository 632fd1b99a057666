import {
  type FunctionHosts,
  functionHosts,
  type ProviderContext,
  parseArn,
  type ResourceValues,
  type StateScope,
} from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import type { JsonObject } from '../templates/values.ts';
import { ANY_PROPERTY, ANYTHING, type OwnProvider, type OwnResource } from './own.ts';
import { functionResponseUrl, responseUrl } from './response-url.ts';
import type { Signals } from './signals.ts';

/** Default timeout of a custom resource in seconds. */
const DEFAULT_TIMEOUT = 3600;
/** Maximum length of its response in characters. */
const MAX_RESPONSE = 4096;

/** Properties reserved by CloudFormation. */
const OWN = new Set(['ServiceTimeout']);

/** Converts numbers and booleans to text, as AWS does. */
function texts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(texts);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, texts(member)]));
  return typeof value === 'string' ? value : String(value);
}

const propertiesOf = (properties: ResourceValues): JsonObject =>
  texts(Object.fromEntries(Object.entries(properties).filter(([name]) => !OWN.has(name)))) as JsonObject;

interface Request {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly PhysicalResourceId?: string;
  readonly OldResourceProperties?: JsonObject;
}

/** Response of a custom resource's provider. */
interface Response {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId?: string;
  readonly NoEcho?: unknown;
  readonly Data?: JsonObject;
}

function parseResponse(text: string): Response {
  if (text.length > MAX_RESPONSE) throw new Error('Response object is too long.');
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    throw new Error('Invalid Response object: it is no JSON');
  }
  if (!isObject(parsed) || (parsed.Status !== 'SUCCESS' && parsed.Status !== 'FAILED'))
    throw new Error('Invalid Response object: Value of property Status must be SUCCESS or FAILED');
  return parsed as unknown as Response;
}

/** Sends the request of a custom resource to its function or topic. */
async function send(token: string, event: JsonObject, ctx: ProviderContext): Promise<void> {
  const arn = parseArn(token);
  const region = arn?.region || ctx.region;
  if (arn?.service === 'lambda') {
    await ctx.call(
      'lambda',
      'Invoke',
      { FunctionName: token, InvocationType: 'Event', Payload: Buffer.from(JSON.stringify(event)) },
      { region },
    );
    return;
  }
  if (arn?.service !== 'sns') throw new Error(`Invalid service token: ${token}`);
  await ctx.call(
    'sns',
    'Publish',
    { TopicArn: token, Subject: 'AWS CloudFormation custom resource request', Message: JSON.stringify(event) },
    { region },
  );
}

const hostsOf = async (scope: StateScope, token: string): Promise<FunctionHosts | undefined> =>
  parseArn(token)?.service === 'lambda' ? scope.service.capability(functionHosts) : undefined;

/**
 * Detects a function that cannot respond because a dependency is missing, mostly an SDK that AWS's runtimes include.
 * @param token of the called service
 * @returns a signal that is aborted with the reason, and a function that stops the detection
 */
async function brokenBy(scope: StateScope, token: string): Promise<{ signal: AbortSignal; end(): void }> {
  const abort = new AbortController();
  const hosts = await hostsOf(scope, token);
  const end = hosts?.onMissingModule(token, (problem) =>
    abort.abort(new Error(`The function ${token} cannot be loaded where emu runs: ${problem}`)),
  );
  return { signal: abort.signal, end: () => end?.() };
}

/**
 * Resources created by the user's functions or topics.
 * @param typeName `AWS::CloudFormation::CustomResource` or `Custom::…`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
 */
export function customResource(typeName: string, signals: Signals, scope: StateScope): OwnProvider {
  async function request(
    { RequestType, PhysicalResourceId, OldResourceProperties }: Request,
    properties: ResourceValues,
    ctx: ProviderContext,
  ): Promise<OwnResource> {
    const { stack } = ctx;
    const ServiceToken = properties.ServiceToken;
    if (typeof ServiceToken !== 'string') throw new Error('Missing required property: ServiceToken');
    // The step's token is the same after a restart, so that the request is not sent twice.
    const token = Buffer.from(`${ctx.token}-${RequestType}-${PhysicalResourceId ?? ''}`)
      .toString('base64url')
      .slice(0, 200);
    const RequestId = ctx.ids.uuid();
    if (signals.expect(token, stack!.id, stack!.logicalId)) {
      const toFunction = parseArn(ServiceToken)?.service === 'lambda';
      const ResponseURL = await (toFunction ? functionResponseUrl : responseUrl)(scope, token);
      const event = {
        RequestType,
        ServiceToken,
        ResponseURL,
        StackId: stack!.id,
        RequestId,
        LogicalResourceId: stack!.logicalId,
        ...(PhysicalResourceId !== undefined && { PhysicalResourceId }),
        ResourceType: typeName,
        ResourceProperties: propertiesOf(properties),
        ...(OldResourceProperties && { OldResourceProperties }),
      };
      try {
        await send(ServiceToken, event, ctx);
      } catch (error) {
        signals.discard(token);
        throw error;
      }
    }
    const broken = await brokenBy(scope, ServiceToken);
    const signal = AbortSignal.any([ctx.signal, broken.signal]);
    const limit = Number(properties.ServiceTimeout ?? DEFAULT_TIMEOUT) * 1000;
    let named: string | undefined;
    try {
      const answered = await signals.wait(token, (received) => received.length > 0, limit, { ...ctx, signal });
      if (!answered)
        throw new Error(
          `CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId [${RequestId}]. If you are using the Python cfn-response module, you may need to update your Lambda function code so that CloudFormation can attach the updated version.`,
        );
      const response = parseResponse(signals.received(token)[0]!.text);
      named = response.PhysicalResourceId || undefined;
      if (response.Status === 'FAILED') {
        const { Reason = '' } = response;
        const advice = (await hostsOf(scope, ServiceToken))?.missingModuleAdvice(String(Reason));
        const told = advice === undefined ? Reason : `${Reason} ${advice}`;
        throw new Error(
          `Received response status [FAILED] from custom resource. Message returned: ${told} (RequestId: ${RequestId})`,
        );
      }
      if (typeof response.PhysicalResourceId !== 'string' || !response.PhysicalResourceId) {
        if (RequestType === 'Delete') return { identifier: PhysicalResourceId ?? '' };
        throw new Error('Invalid PhysicalResourceId');
      }
      const noEcho = response.NoEcho === true || response.NoEcho === 'true';
      return { identifier: response.PhysicalResourceId, attributes: response.Data ?? {}, ...(noEcho && { noEcho }) };
    } catch (error) {
      // A started creation is deleted even without a physical id.
      if (RequestType === 'Create' && !broken.signal.aborted) ctx.created(named ?? ctx.name());
      throw error;
    } finally {
      broken.end();
      if (!ctx.signal.aborted) signals.discard(token);
    }
  }

  return {
    typeName,
    facts: ANYTHING,
    handles: [ANY_PROPERTY],
    create: (properties, ctx) => request({ RequestType: 'Create' }, properties, ctx),
    // Only the function knows the resource.
    read: async () => undefined,
    update: async () => undefined,
    exchange: (PhysicalResourceId, previous, desired, ctx) =>
      request(
        { RequestType: 'Update', PhysicalResourceId, OldResourceProperties: propertiesOf(previous) },
        desired,
        ctx,
      ),
    async delete(PhysicalResourceId, properties, ctx) {
      await request({ RequestType: 'Delete', PhysicalResourceId }, properties, ctx);
    },
    // A different provider does not know resources of the previous one.
    replaces: (previous, desired) => previous.ServiceToken !== desired.ServiceToken,
    validate(properties) {
      if (typeof properties.ServiceToken !== 'string') throw new Error('Missing required property: ServiceToken');
    },
  };
}

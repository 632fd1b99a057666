import type { ProviderContext, ResourceValues, StateScope } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import type { JsonObject } from '../templates/values.ts';
import { ANYTHING, type OwnProvider } from './own.ts';
import { responseUrl } from './response-url.ts';
import type { Signal, Signals } from './signals.ts';

/** Contents of a signal. */
interface Message {
  readonly Status?: string;
  readonly UniqueId?: string;
  readonly Data?: unknown;
  readonly Reason?: string;
}

function messageOf({ text }: Signal): Message {
  try {
    const parsed: unknown = parseJson(text);
    return isObject(parsed) ? (parsed as Message) : {};
  } catch {
    return {};
  }
}

const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/**
 * Handles of wait conditions: URLs that accept signals.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-waitconditionhandle.html
 */
export function waitConditionHandle(signals: Signals, scope: StateScope): OwnProvider {
  return {
    typeName: 'AWS::CloudFormation::WaitConditionHandle',
    facts: { primaryIdentifier: ['Id'], attributes: {}, properties: {} },
    handles: [],
    async create(_properties, ctx) {
      const token = Buffer.from(`${ctx.token}-${ctx.ids.hex(8)}`).toString('base64url');
      signals.expect(token, ctx.stack!.id, ctx.stack!.logicalId);
      return { identifier: await responseUrl(scope, token) };
    },
    read: async (identifier) => ({ properties: {}, attributes: { Id: identifier } }),
    update: async () => undefined,
    delete: async (identifier) => signals.discard(tokenOf(identifier)),
  };
}

/**
 * Wait conditions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-waitcondition.html
 */
export function waitCondition(signals: Signals): OwnProvider {
  const wait = async (properties: ResourceValues, ctx: ProviderContext): Promise<JsonObject> => {
    const { Handle, Count = 1, Timeout } = properties as { Handle?: string; Count?: number; Timeout?: string };
    if (Handle === undefined || Timeout === undefined)
      throw new Error('A wait condition needs a Handle and a Timeout.');
    const token = tokenOf(Handle);
    const failed = (received: readonly Signal[]) => received.map(messageOf).find(({ Status }) => Status !== 'SUCCESS');
    const enough = (received: readonly Signal[]) => failed(received) !== undefined || received.length >= Number(Count);
    const came = await signals.wait(token, enough, Number(Timeout) * 1000, ctx);
    const received = signals.received(token);
    const failure = failed(received);
    if (failure)
      throw new Error(
        `WaitCondition received failed message: '${failure.Reason ?? ''}' for uniqueId: ${failure.UniqueId ?? ''}`,
      );
    if (!came)
      throw new Error(
        `WaitCondition timed out. Received ${received.length} conditions when expecting ${Number(Count)}`,
      );
    return Object.fromEntries(received.map((signal) => [signal.uniqueId, messageOf(signal).Data ?? '']));
  };
  return {
    typeName: 'AWS::CloudFormation::WaitCondition',
    facts: {
      ...ANYTHING,
      attributes: { Data: 'string' },
      properties: {
        Handle: { type: 'string', replacement: 'yes' },
        Timeout: { type: 'string', replacement: 'yes' },
        Count: { type: 'integer', replacement: 'yes' },
      },
    },
    handles: ['Handle', 'Timeout', 'Count'],
    async create(properties, ctx) {
      const identifier = `${ctx.stack!.id}/${ctx.name()}`;
      ctx.created(identifier);
      return { identifier, attributes: { Data: JSON.stringify(await wait(properties, ctx)) } };
    },
    read: async () => undefined,
    delete: async () => undefined,
  };
}

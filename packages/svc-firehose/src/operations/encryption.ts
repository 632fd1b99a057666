import type { InputOf, OutputOf } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import { inUse } from '../errors.ts';
import { activeStreamOf } from '../lookup.ts';
import type { EncryptionRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';
import { newEncryption } from '../streams/encryption.ts';
import { encryptionOfSource } from './streams.ts';

/** Returns the delivery stream with a name for an encryption change. */
function changeableStream(name: string, ctx: FirehoseContext): DeliveryStream {
  const stream = activeStreamOf(name, ctx);
  if (stream.type !== 'DirectPut') throw encryptionOfSource();
  const { status } = stream.encryption;
  if (status === 'ENABLING' || status === 'DISABLING')
    throw inUse(`The encryption of Firehose ${name} under accountId ${ctx.accountId} is ${status}.`);
  return stream;
}

function begin(name: string, encryption: EncryptionRecord, { state }: FirehoseContext): Record<string, never> {
  state.updateStream(name, (draft) => {
    draft.encryption = encryption;
  });
  state.transitions.later(name);
  return {};
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_StartDeliveryStreamEncryption.html */
export async function StartDeliveryStreamEncryption(
  input: InputOf<'StartDeliveryStreamEncryption'>,
  ctx: FirehoseContext,
): Promise<OutputOf<'StartDeliveryStreamEncryption'>> {
  const { DeliveryStreamName: name, DeliveryStreamEncryptionConfigurationInput: given = {} } = input;
  changeableStream(name, ctx);
  const encryption = await newEncryption(given, name, ctx);
  changeableStream(name, ctx);
  return begin(name, encryption, ctx);
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_StopDeliveryStreamEncryption.html */
export function StopDeliveryStreamEncryption(
  input: InputOf<'StopDeliveryStreamEncryption'>,
  ctx: FirehoseContext,
): OutputOf<'StopDeliveryStreamEncryption'> {
  const { name, encryption } = changeableStream(input.DeliveryStreamName, ctx);
  return encryption.status === 'DISABLED' ? {} : begin(name, { ...encryption, status: 'DISABLING' }, ctx);
}

import type { DeclareRoute, FirehoseDeliveryStream, FirehoseEncryption } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { DeliveryStream } from './registry.ts';
import type { FirehoseState } from './state.ts';

const route: DeclareRoute<ServiceHandle<FirehoseState>, ControlRoute<FirehoseState>> = controlRoute;

/** Delivery streams of all accounts and regions. */
const listStreams = route('GET /_emulator/firehose/delivery-streams', (_request, service) => {
  const deliveryStreams: FirehoseDeliveryStream[] = [];
  for (const { state } of service.states())
    for (const stream of state.listStreams()) deliveryStreams.push(describe(stream, state));
  deliveryStreams.sort((a, b) => compare(a.accountId, b.accountId) || compare(a.name, b.name));
  return { json: { deliveryStreams } };
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const describe = (stream: DeliveryStream, state: FirehoseState): FirehoseDeliveryStream => ({
  accountId: state.accountId,
  name: stream.name,
  arn: state.arnOf(stream.name),
  streamType: stream.type,
  status: stream.status,
  encryption: describeEncryption(stream),
  destinationCount: 1,
  createTimestamp: new Date(stream.createdAt).toISOString(),
  lastUpdateTimestamp: new Date(stream.updatedAt ?? stream.createdAt).toISOString(),
});

function describeEncryption({ encryption: { status, keyType, keyArn } }: DeliveryStream): FirehoseEncryption {
  if (status === 'DISABLED' || keyType === undefined) return { status: 'DISABLED' };
  return { status, keyType, ...(keyArn !== undefined && { keyArn }) };
}

/** Control routes for tests that inspect delivery streams. */
export const control: readonly ControlRoute<FirehoseState>[] = [listStreams];

import type { FirehoseDeliveryStream } from '../records/firehose.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Data Firehose. */
export const firehose = {
  /** Lists delivery streams by account and name. `GET /_emulator/firehose/delivery-streams` */
  deliveryStreams: json<{ deliveryStreams: FirehoseDeliveryStream[] }>()('GET /_emulator/firehose/delivery-streams'),
};

/** Methods for the control routes of Data Firehose. */
export interface FirehoseControl extends MethodsOf<typeof firehose> {}

/** Control routes of Data Firehose by name. */
export type FirehoseRoutes = RoutesOf<typeof firehose>;

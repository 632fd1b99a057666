import type { FirehoseDeliveryStream } from '../routes/firehose.ts';
import { AreaControl } from './area.ts';

/** Control routes of Data Firehose. */
export class FirehoseControl extends AreaControl {
  /** Lists delivery streams by account and name. `GET /_emulator/firehose/delivery-streams` */
  deliveryStreams(): Promise<{ deliveryStreams: FirehoseDeliveryStream[] }> {
    return this.transport.json('GET /_emulator/firehose/delivery-streams');
  }
}

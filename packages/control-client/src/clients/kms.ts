import type { KmsUsageRecord } from '../routes/kms.ts';
import { AreaControl } from './area.ts';

/** Control routes of KMS. */
export class KmsControl extends AreaControl {
  /** Lists every use of a key, oldest first. `GET /_emulator/kms/usage` */
  usage(): Promise<{ usage: KmsUsageRecord[] }> {
    return this.transport.json('GET /_emulator/kms/usage');
  }
}

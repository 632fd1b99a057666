import type { KmsUsageRecord } from '../records/kms.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of KMS. */
export const kms = {
  /** Lists every use of a key, oldest first. `GET /_emulator/kms/usage` */
  usage: json<{ usage: KmsUsageRecord[] }>()('GET /_emulator/kms/usage'),
};

/** Methods for the control routes of KMS. */
export interface KmsControl extends MethodsOf<typeof kms> {}

/** Control routes of KMS by name. */
export type KmsRoutes = RoutesOf<typeof kms>;

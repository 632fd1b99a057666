import type { StateScope } from '@emu/core';

/** Where a resource is; a request's context and a state's scope tell. */
type Place = Pick<StateScope, 'partition' | 'region' | 'accountId'>;

/** `arn:…:s3:<region>:<account>:storage-lens-group/<name>`. */
export const storageLensGroupArn = ({ partition, region, accountId }: Place, name: string): string =>
  `arn:${partition}:s3:${region}:${accountId}:storage-lens-group/${name}`;

/** `arn:…:s3:<region>:<account>:storage-lens/<id>`. */
export const storageLensArn = ({ partition, region, accountId }: Place, id: string): string =>
  `arn:${partition}:s3:${region}:${accountId}:storage-lens/${id}`;

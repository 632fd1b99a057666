import type { ApplicationRecord, EndpointRecord } from '../records.ts';

/** Returns the key of a platform application. */
export const keyOfApplication = ({ platform, name }: Pick<ApplicationRecord, 'platform' | 'name'>): string =>
  `${platform}/${name}`;

/** Returns the key of a platform endpoint. */
export const keyOfEndpoint = ({ application, id }: Pick<EndpointRecord, 'application' | 'id'>): string =>
  `${application}/${id}`;

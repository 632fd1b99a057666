import type { ApplicationRecord, EndpointRecord } from '../records.ts';

/** What a platform application is kept by. */
export const keyOfApplication = ({ platform, name }: Pick<ApplicationRecord, 'platform' | 'name'>): string =>
  `${platform}/${name}`;

/** What a platform endpoint is kept by. */
export const keyOfEndpoint = ({ application, id }: Pick<EndpointRecord, 'application' | 'id'>): string =>
  `${application}/${id}`;

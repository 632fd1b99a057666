import type { Located } from './common.ts';

/** A stage of an API with its local addresses. */
export interface ApiGatewayStageUrl extends Located {
  apiId: string;
  /** Name of the API. */
  name: string;
  stage: string;
  /** URL with a host name below `localhost`, which resolves to this machine. */
  url: string;
  /** URL for clients that cannot set host names. */
  pathUrl: string;
}

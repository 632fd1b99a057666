import type { DataPlaneRequest, DataPlaneResponse } from '../plugin/data-plane.ts';
import { type Capability, defineCapability } from './capability.ts';

/** A stage of a REST API. */
export interface RestStage {
  readonly accountId: string;
  readonly region: string;
  readonly apiId: string;
  readonly stage: string;
}

/** A request by a custom domain name that is for a stage of a REST API. */
export interface RestStageRequest extends RestStage {
  /** Path within the stage, percent-encoded. */
  readonly path: string;
  readonly domainName: string;
  /** What is known of the client's certificate, as events have it; undefined where the domain name asks for none. */
  readonly clientCertificate: object | undefined;
}

/** REST APIs, for custom domain names that are managed apart from them. */
export interface RestApis {
  /** Whether a stage exists. */
  hasStage(stage: RestStage): boolean;
  /** Whether a custom domain name belongs to REST APIs. @param name in lower case */
  hasDomain(name: string): boolean;
  /** Answers a request; undefined where the stage does not exist. */
  serve(request: DataPlaneRequest, target: RestStageRequest): Promise<DataPlaneResponse | undefined>;
}

/** REST APIs of API Gateway. */
export const restApis: Capability<RestApis> = defineCapability('REST APIs');

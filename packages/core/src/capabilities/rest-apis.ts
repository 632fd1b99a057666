import { type Capability, defineCapability } from '../base/capability.ts';
import type { DataPlaneRequest, DataPlaneResponse } from '../plugin/data-plane.ts';
import type { CustomDomains } from './custom-domains.ts';

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
  /** Path of the mapping of the domain name that has led there; empty for a mapping without one. */
  readonly basePath?: string | undefined;
  /** Id of the routing rule of the domain name that has. */
  readonly ruleId?: string | undefined;
  /** What is known of the client's certificate, as events have it; undefined where the domain name asks for none. */
  readonly clientCertificate: object | undefined;
}

/** What usage plans say of a request with an API key. */
export interface KeyVerdict {
  /** Id of the key; undefined where there is no such key, or it is disabled. */
  readonly keyId?: string | undefined;
  /** Undefined where the request may go on; it has been counted then. */
  readonly refused?: 'forbidden' | 'throttled' | 'exhausted' | undefined;
}

/** A certificate that API Gateway shows to endpoints, in PEM. */
export interface EndpointCertificate {
  readonly cert: string;
  readonly key: string;
}

/** REST APIs with their API keys and client certificates, for what is managed apart from them. */
export interface RestApis extends CustomDomains {
  /** Whether a stage exists. */
  hasStage(stage: RestStage): boolean;
  /** Whether a custom domain name belongs to REST APIs. @param name in lower case */
  hasDomain(name: string): boolean;
  /**
   * Lets a request with an API key to a stage of any kind of API through as usage plans say, and counts it.
   * @param value of the key; undefined where the request has none
   */
  admitKey(stage: RestStage, value: string | undefined): KeyVerdict;
  /** A client certificate; undefined where there is none with the id. */
  clientCertificate(scope: { accountId: string; region: string }, id: string): EndpointCertificate | undefined;
  /** Answers a request; undefined where the stage does not exist. */
  serve(request: DataPlaneRequest, target: RestStageRequest): Promise<DataPlaneResponse | undefined>;
}

/** REST APIs of API Gateway. */
export const restApis: Capability<RestApis> = defineCapability('REST APIs');

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

/** A request to a custom domain name for a stage of a REST API. */
export interface RestStageRequest extends RestStage {
  /** Path within the stage, percent-encoded. */
  readonly path: string;
  readonly domainName: string;
  /** Path of the matching mapping of the domain name; empty for a mapping without one. */
  readonly basePath?: string | undefined;
  /** Id of the matching routing rule of the domain name. */
  readonly ruleId?: string | undefined;
  /** The client's certificate, in the form of events; undefined without mutual TLS. */
  readonly clientCertificate: object | undefined;
}

/** Usage plans' decision on a request with an API key. */
export interface KeyVerdict {
  /** Id of the key; undefined for an unknown or disabled one. */
  readonly keyId?: string | undefined;
  /** Undefined for an allowed request, which is then counted. */
  readonly refused?: 'forbidden' | 'throttled' | 'exhausted' | undefined;
}

/** A client certificate of API Gateway for endpoints, in PEM. */
export interface EndpointCertificate {
  readonly cert: string;
  readonly key: string;
}

/** REST APIs with their API keys and client certificates, for the service of HTTP APIs. */
export interface RestApis extends CustomDomains {
  /** Whether a stage exists. */
  hasStage(stage: RestStage): boolean;
  /** Whether a custom domain name belongs to REST APIs. @param name in lower case */
  hasDomain(name: string): boolean;
  /**
   * Decides by usage plans whether a request with an API key to a stage of any kind of API is allowed, and counts it.
   * @param value value of the key; undefined for a request without one
   */
  admitKey(stage: RestStage, value: string | undefined): KeyVerdict;
  /** Returns a client certificate; undefined for an unknown id. */
  clientCertificate(scope: { accountId: string; region: string }, id: string): EndpointCertificate | undefined;
  /** Responds to a request; undefined for an unknown stage. */
  serve(request: DataPlaneRequest, target: RestStageRequest): Promise<DataPlaneResponse | undefined>;
}

/** REST APIs of API Gateway. */
export const restApis: Capability<RestApis> = defineCapability('REST APIs');

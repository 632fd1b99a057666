import { type Capability, defineCapability } from '../base/capability.ts';
import type { DataPlaneRequest, DataPlaneResponse, UpgradableConnection } from '../plugin/data-plane.ts';
import type { Place } from '../resources/resource-type.ts';
import type { CustomDomains, DomainMapping, DomainRouting } from './custom-domains.ts';

/** A request to a custom domain name that was created by the service of REST APIs. */
export interface DomainRequest extends Place {
  /** The name as created. */
  readonly name: string;
  readonly routing: DomainRouting;
  readonly mappings: readonly DomainMapping[];
  /** Certificates in PEM of the accepted certificate authorities of clients; undefined without mutual TLS. */
  readonly truststore: string | undefined;
}

/** HTTP and WebSocket APIs with the routing rules of custom domain names, for the service of REST APIs. */
export interface HttpApis extends CustomDomains {
  /** Whether a custom domain name belongs to HTTP and WebSocket APIs. @param name in lower case */
  hasDomain(name: string): boolean;
  /** Removes the routing rules of a deleted custom domain name. */
  discardRules(scope: Place, name: string): void;
  /** Responds to a request by the domain's rules and mappings, for any kind of API. */
  serveDomain(request: DataPlaneRequest, domain: DomainRequest): Promise<DataPlaneResponse | undefined>;
  /** Accepts the connection of a client for the domain's WebSocket API. */
  upgradeDomain(
    request: DataPlaneRequest,
    connection: UpgradableConnection,
    domain: DomainRequest,
  ): Promise<DataPlaneResponse | 'taken' | undefined>;
}

/** HTTP and WebSocket APIs of API Gateway. */
export const httpApis: Capability<HttpApis> = defineCapability('HTTP and WebSocket APIs');

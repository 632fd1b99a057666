import { type Capability, defineCapability } from '../base/capability.ts';
import type { DataPlaneRequest, DataPlaneResponse, UpgradableConnection } from '../plugin/data-plane.ts';
import type { Place } from '../resources/resource-type.ts';
import type { CustomDomains, DomainMapping, DomainRouting } from './custom-domains.ts';

/** A request by a custom domain name that REST APIs' service has made. */
export interface DomainRequest extends Place {
  /** The name as it was made. */
  readonly name: string;
  readonly routing: DomainRouting;
  readonly mappings: readonly DomainMapping[];
  /** Certificates in PEM of the authorities whose clients are let in; undefined where no client is asked. */
  readonly truststore: string | undefined;
}

/** HTTP and WebSocket APIs with the rules of custom domain names, for what is managed apart from them. */
export interface HttpApis extends CustomDomains {
  /** Whether a custom domain name belongs to HTTP and WebSocket APIs. @param name in lower case */
  hasDomain(name: string): boolean;
  /** Forgets the routing rules of a custom domain name that is gone. */
  forgetRules(scope: Place, name: string): void;
  /** Answers a request by the domain's rules and mappings, whatever kind of API they lead to. */
  serveDomain(request: DataPlaneRequest, domain: DomainRequest): Promise<DataPlaneResponse | undefined>;
  /** Takes the connection of a client for the WebSocket API that the domain leads to. */
  upgradeDomain(
    request: DataPlaneRequest,
    connection: UpgradableConnection,
    domain: DomainRequest,
  ): Promise<DataPlaneResponse | 'taken' | undefined>;
}

/** HTTP and WebSocket APIs of API Gateway. */
export const httpApis: Capability<HttpApis> = defineCapability('HTTP and WebSocket APIs');

import type { Place } from '../resources/resource-type.ts';

/** What the routing of a custom domain name uses. */
export type DomainRouting = 'mappings' | 'rules' | 'rules-then-mappings';

/** A custom domain name of API Gateway, with the fields of both of its APIs. */
export interface CustomDomain {
  /** In lower case. */
  readonly name: string;
  /** Id of a private domain name. */
  readonly id?: string | undefined;
  readonly endpointType: 'EDGE' | 'REGIONAL' | 'PRIVATE';
  readonly certificateArn?: string | undefined;
  readonly certificateName?: string | undefined;
  readonly ownershipVerificationCertificateArn?: string | undefined;
  readonly ipAddressType: 'ipv4' | 'dualstack';
  readonly securityPolicy: string;
  readonly routing: DomainRouting;
  /** Target of the domain name's DNS record. */
  readonly target?: string | undefined;
  readonly mutualTls?:
    | { readonly uri: string; readonly version?: string | undefined; readonly warnings?: readonly string[] | undefined }
    | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** A mapping of a path below a custom domain name to a stage. */
export interface DomainMapping {
  readonly id: string;
  readonly apiId: string;
  /** Undefined if the rest of the path begins with the stage's name. */
  readonly stage: string | undefined;
  /** Segments of the path, without outer slashes; empty for a mapping of every path. */
  readonly key: string;
}

/**
 * The custom domain names created by one of API Gateway's two services, for the other: they are the same resources.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains.html
 */
export interface CustomDomains {
  /** Returns the domain names of a scope. */
  customDomains(scope: Place): readonly CustomDomain[];
  /** Returns the mappings of a domain name. */
  domainMappings(scope: Place, name: string): readonly DomainMapping[];
  /** Creates a mapping, or replaces the one with its id. */
  putDomainMapping(scope: Place, name: string, mapping: DomainMapping): void;
  deleteDomainMapping(scope: Place, name: string, id: string): void;
}

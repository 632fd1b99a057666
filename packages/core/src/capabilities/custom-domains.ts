import type { Place } from '../resources/resource-type.ts';

/** What decides where requests by a custom domain name go. */
export type DomainRouting = 'mappings' | 'rules' | 'rules-then-mappings';

/** A custom domain name of API Gateway, as both of its APIs may tell of it. */
export interface CustomDomain {
  /** In lower case. */
  readonly name: string;
  /** Of private domain names. */
  readonly id?: string | undefined;
  readonly endpointType: 'EDGE' | 'REGIONAL' | 'PRIVATE';
  readonly certificateArn?: string | undefined;
  readonly certificateName?: string | undefined;
  readonly ownershipVerificationCertificateArn?: string | undefined;
  readonly ipAddressType: 'ipv4' | 'dualstack';
  readonly securityPolicy: string;
  readonly routing: DomainRouting;
  /** Host name that DNS is to lead the domain name to. */
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
  /** Undefined where the path below the mapping's begins with the stage's name. */
  readonly stage: string | undefined;
  /** Segments of the path, without slashes around; empty where the mapping is for every path. */
  readonly key: string;
}

/**
 * The custom domain names that one of API Gateway's two services has made, for the other one: they are the same resources.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains.html
 */
export interface CustomDomains {
  /** The domain names of a scope. */
  customDomains(scope: Place): readonly CustomDomain[];
  /** The mappings of one of them. */
  domainMappings(scope: Place, name: string): readonly DomainMapping[];
  /** Makes a mapping, or changes the one with its id. */
  putDomainMapping(scope: Place, name: string, mapping: DomainMapping): void;
  deleteDomainMapping(scope: Place, name: string, id: string): void;
}

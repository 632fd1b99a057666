import type { HeaderValues } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import type { CloudFormationTypes } from '../cloudformation/provider.ts';
import type { DeclaredOptions } from '../config/declared.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { OpenContainers } from '../containers/containers.ts';
import type { AnyQuota } from '../quotas/quota.ts';
import type { Observation } from './observer.ts';
import type { AnyServicePlugin } from './plugin.ts';
import type { ResourceHosts } from './resource-hosts.ts';
import type { SignatureRules } from './signatures.ts';

/** An error for a request body. */
export interface BodyRefusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** Limits of the bodies of a service's requests, except streamed ones. */
export interface BodyLimits {
  /** Maximum bytes of a body, after decompression. */
  readonly bytes: number;
  /** Maximum bytes of operations with another limit. */
  readonly operations?: Readonly<Record<string, number>>;
  /**
   * Whether every operation accepts gzip-compressed bodies; by default only those with compression in their model do.
   */
  readonly gzip?: true;
  /**
   * The error for a larger body: AWS's code, sent with status 413, or a function for another response; the emulator's
   * own error if AWS's is unknown. The function receives the limit in bytes and the operation, which is empty for a
   * body rejected before it was identified.
   */
  readonly refusal?: string | ((limit: number, operation: string) => BodyRefusal);
  /** The error for a body within the limit with too many values to parse; the emulator's own by default. */
  crowded?(operation: string): BodyRefusal | undefined;
}

/** A capability with its factory, called once for each emulator, at the first use. */
export interface OfferedCapability {
  readonly capability: Capability<unknown>;
  make(): unknown;
}

/** Properties of a service that the gateway needs before it is loaded. */
export interface ServiceManifest {
  /** emu's name of the service; the first segment of its control routes and its folder in the data directory. */
  readonly name: string;
  /** Names in SigV4 credential scopes. */
  readonly signingNames: readonly string[];
  /** Host labels, e.g. `sqs` and `queue`. */
  readonly hostNames: readonly string[];
  /** Rules for host names of the service's resources, if any. */
  readonly hosts?: ResourceHosts;
  /** Whether it receives requests that name no service; true for at most one service. */
  readonly catchAll?: true;
  /** Signature rules, if they differ from most services. */
  readonly signatures?: SignatureRules;
  /** `X-Amz-Target` prefixes. */
  readonly targetPrefixes?: readonly string[];
  /**
   * Headers, in lower case, of which every request of the service has one. They are checked first, and distinguish
   * services that share a signing name, a host or a path.
   */
  readonly requiredHeaders?: readonly string[];
  /** API version of the query protocols, in the `Version` parameter. */
  readonly queryVersions?: readonly string[];
  /** Paths of the service for requests with an `Action` and without a `Version`, such as queue URLs. */
  readonly queryPaths?: RegExp;
  /** Path prefixes of this service only, e.g. `/2015-03-31/functions`. */
  readonly pathPrefixes?: readonly string[];
  /**
   * Returns the path of an operation in the model's form, for clients that send another: the management API of
   * WebSocket APIs has endpoints below their stages. Not called if the host names the resource.
   * @param path percent-encoded
   * @param signingName undefined for unsigned requests
   * @returns undefined for a path in the model's form
   */
  operationPath?(path: string, headers: HeaderValues, signingName: string | undefined): string | undefined;
  /** Limits of request bodies; the emulator's own limit (`EMULATOR_MAX_REQUEST_BODY_BYTES`) applies as well. */
  readonly bodies?: BodyLimits;
  /**
   * Paths of its control routes, by default `/_emulator/<name>/`. A path that ends with a slash includes all paths
   * below it. All begin with `/_`. Paths outside of `/_emulator/` are reserved for the service.
   */
  readonly controlPaths?: readonly string[];
  /** Name of the service in LocalStack's health route; by default `name`. */
  readonly localstackName?: string;
  /**
   * Host labels of its data plane, which no API call uses, e.g. `execute-api`: `DataPlaneRequest.host` recognises hosts
   * with them.
   */
  readonly dataHostNames?: readonly string[];
  /**
   * Whether a request may belong to the service's data plane, so that `serve` is called before it is treated as an API
   * call. Called for every request, and so must be fast. Several services may claim one request, as the hosts of API
   * Gateway's kinds of APIs differ only by their ids: their `serve` is called in order until one responds.
   * @param host the `Host` header in lower case, with its port
   */
  claims?(
    method: string,
    path: string,
    host: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): boolean;
  /** Its options; the service reads them with `settings.of(table)`. */
  readonly options?: DeclaredOptions;
  /** Whether the settings require work at start: then the service is loaded and its `onStart` is called. */
  eager?(settings: EmulatorSettings): boolean;
  /**
   * Which answered requests and calls the service's `observe` receives, by the settings; undefined for none. A service
   * that observes all others is loaded when the emulator starts.
   */
  observes?(settings: EmulatorSettings): Observation | undefined;
  /** Capabilities that its plugin provides. */
  readonly provides?: readonly Capability<unknown>[];
  /** Its quotas; loaded when one may be enforced, or on request. */
  quotas?(): Promise<readonly AnyQuota[]>;
  /** Capabilities that do not need its plugin, which they do not load. */
  readonly offers?: readonly OfferedCapability[];
  /**
   * Another name for resetting the service with `POST /_emulator/reset/{service}`: that of a service of the same
   * family.
   */
  readonly resetWith?: string;
  /** Whether its resources belong to no account, so that it is only reset as a whole. */
  readonly withoutAccounts?: true;
  /** The registered credentials that a reset of the service removes. */
  readonly credentials?: 'access-keys' | 'sessions';
  /** Creates the backend of containers or processes, which all such services share. */
  readonly containers?: OpenContainers;
  /** Its resource types in CloudFormation and Cloud Control. */
  readonly cloudFormation?: CloudFormationTypes;
  load(): Promise<AnyServicePlugin>;
}

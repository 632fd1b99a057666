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

/** How large the bodies of a service's requests may be, where they are not streamed. */
export interface BodyLimits {
  /** Most bytes of a body, inflated where it came compressed. */
  readonly bytes: number;
  /** Most bytes for operations that take more, or less. */
  readonly operations?: Readonly<Record<string, number>>;
  /** Whether every operation takes bodies compressed with gzip; else only those whose model says so do. */
  readonly gzip?: true;
  /**
   * The error for a larger body: the code of AWS's usual answer with status 413, or a function for another answer; an error
   * of the emulator's own where AWS's answer is unknown. The function gets the limit in bytes and the operation, which is
   * empty for a body that was refused before it was identified.
   */
  readonly refusal?: string | ((limit: number, operation: string) => BodyRefusal);
  /**
   * The error for a body within the limit that holds so many values that emu does not take them apart; one of the
   * emulator's own where undefined.
   */
  crowded?(operation: string): BodyRefusal | undefined;
}

/** A capability with how it is made; made once for each emulator, when somebody first asks. */
export interface OfferedCapability {
  readonly capability: Capability<unknown>;
  make(): unknown;
}

/** What the gateway knows of a service before it is loaded. */
export interface ServiceManifest {
  /** emu's name of the service; the first segment of its control routes and its folder in the data directory. */
  readonly name: string;
  /** Names in SigV4 credential scopes. */
  readonly signingNames: readonly string[];
  /** Host labels, e.g. `sqs` and `queue`. */
  readonly hostNames: readonly string[];
  /** How host names name resources of the service, where they do. */
  readonly hosts?: ResourceHosts;
  /** Receives the requests that name no service; at most one service does. */
  readonly catchAll?: true;
  /** How its requests are signed, where that differs from most services. */
  readonly signatures?: SignatureRules;
  /** `X-Amz-Target` prefixes. */
  readonly targetPrefixes?: readonly string[];
  /**
   * Headers of which every request of the service has one, in lower case. What shares a signing name, a host or a path
   * with another service is told by them before anything else is looked at.
   */
  readonly requiredHeaders?: readonly string[];
  /** API version of the query protocols, told by the `Version` parameter. */
  readonly queryVersions?: readonly string[];
  /** Paths that are the service's where the request has an `Action` and no `Version` says whose, such as queue URLs. */
  readonly queryPaths?: RegExp;
  /** Path prefixes that only this service has, e.g. `/2015-03-31/functions`. */
  readonly pathPrefixes?: readonly string[];
  /**
   * Returns the path of an operation as the model has it, for clients that send another: the management API of WebSocket
   * APIs has endpoints below their stages. Not called where the host names the resource.
   * @param path percent-encoded
   * @param signingName undefined for unsigned requests
   * @returns undefined for a path that is as the model has it
   */
  operationPath?(path: string, headers: HeaderValues, signingName: string | undefined): string | undefined;
  /** How large its requests may be; the emulator's own limit (`EMULATOR_MAX_REQUEST_BODY_BYTES`) holds besides. */
  readonly bodies?: BodyLimits;
  /**
   * Paths of its control routes, by default `/_emulator/<name>/`. One that ends with a slash stands for all paths below it,
   * any other for itself. All begin with `/_`. Paths outside of `/_emulator/` are reserved for the service.
   */
  readonly controlPaths?: readonly string[];
  /** Name of the service in LocalStack's health route; by default `name`. */
  readonly localstackName?: string;
  /**
   * Host labels of its data plane, of which no API call has one, e.g. `execute-api`: `DataPlaneRequest.host` knows hosts
   * with them.
   */
  readonly dataHostNames?: readonly string[];
  /**
   * Whether a request may be for the service's data plane and its `serve` should see it before it is taken for an API
   * call. Asked of every request: it must tell most by a glance. Several services may claim one request, as the hosts of
   * API Gateway's kinds of APIs differ by nothing but their ids: each is asked to serve it, in order, until one does.
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
  /** Whether the settings give the service something to do at start: it is loaded then, and its `onStart` is called. */
  eager?(settings: EmulatorSettings): boolean;
  /**
   * Which answered requests and calls the service's `observe` is told of, by the settings; undefined for none. A service
   * that observes all others is loaded when the emulator starts.
   */
  observes?(settings: EmulatorSettings): Observation | undefined;
  /** Capabilities that its plugin provides. */
  readonly provides?: readonly Capability<unknown>[];
  /** Its quotas; loaded where one may be enforced, and where somebody asks for them. */
  quotas?(): Promise<readonly AnyQuota[]>;
  /** Capabilities that need nothing of its plugin, which asking for them does not load. */
  readonly offers?: readonly OfferedCapability[];
  /** Another name by which the service is reset, in `POST /_emulator/reset/{service}`: that of a service of one family. */
  readonly resetWith?: string;
  /** Its resources belong to no account: it is reset as a whole only. */
  readonly withoutAccounts?: true;
  /** The registered credentials that go with a reset of the service. */
  readonly credentials?: 'access-keys' | 'sessions';
  /** Makes what the service runs containers or processes on, which all such services share. */
  readonly containers?: OpenContainers;
  /** Its resource types of CloudFormation and Cloud Control. */
  readonly cloudFormation?: CloudFormationTypes;
  load(): Promise<AnyServicePlugin>;
}

import { ConfigError, nearest } from '@emu/core';
import type { EmulatorSettings, Logger, ServiceManifest } from '@emu/core/service';
import {
  collect,
  type ForwardedRequest,
  type Forwarder,
  type GatewayRequest,
  type GatewayResponse,
  type LocatedRequest,
} from '@emu/gateway/proxy';
import { headerOf, type WireRequest } from '@emu/wire';
import { type AwsService, AwsServices } from './aws-services.ts';
import { prepareBody } from './body.ts';
import { type CredentialProvider, IssuedCredentials, NoCredentials, ownCredentials } from './credentials.ts';
import { errorResponse, failureOf, readOnlyRefusal } from './failures.ts';
import { MAX_WHOLE_RESPONSE } from './limits.ts';
import { bodyForClient, changesResponse } from './queue-urls.ts';
import { type Call, isReadOnly, Recogniser } from './recognition.ts';
import { Upstream } from './upstream.ts';
import { userConfig } from './user-config.ts';

/** Options of a forwarder. */
export interface ForwarderOptions {
  /** Names of services as given: those of emu end with `!`. */
  readonly names: readonly string[];
  /** Whether operations that change something are refused. */
  readonly readOnly: boolean;
  readonly manifests: readonly ServiceManifest[];
  readonly settings: EmulatorSettings;
  readonly log: Logger;
  /** By default the user's own. */
  readonly credentials?: CredentialProvider;
  /** Another server in the place of AWS. */
  readonly url?: URL;
}

/** Services whose requests are passed on. */
interface Chosen {
  /** Names of emu's services. */
  readonly own: ReadonlySet<string>;
  /** Services that emu does not have, by their names in signatures. */
  readonly others: ReadonlyMap<string, readonly AwsService[]>;
}

/** Passes requests of the chosen services on to AWS. */
class AwsForwarder implements Forwarder {
  readonly services: readonly string[];
  private readonly recogniser: Recogniser;
  private readonly upstream: Upstream;

  constructor(
    private readonly options: ForwarderOptions & { readonly credentials: CredentialProvider },
    private readonly chosen: Chosen,
    services: AwsServices,
    endpoints: { readonly fips: boolean; readonly dualStack: boolean },
  ) {
    const { manifests, settings, credentials, url, names } = options;
    this.services = names.map((name) => name.replace(/!$/, ''));
    this.recogniser = new Recogniser(manifests, services, settings.domain, settings.region);
    this.upstream = new Upstream({ services, credentials, issued: new IssuedCredentials(), endpoints, url });
  }

  takes({ request, path, query }: LocatedRequest): boolean {
    const wire: WireRequest = { method: request.method, path, query, headers: request.headers, body: NOTHING };
    const found = this.recogniser.identify(wire);
    if (!found.scope) return false;
    if (found.manifest && this.chosen.own.has(found.manifest.name)) return true;
    const candidates = this.chosen.others.get(found.scope.service);
    if (!candidates) return false;
    // A service of emu may sign with the same name.
    const other = this.recogniser.otherService(found, wire);
    return other !== undefined && candidates.includes(other);
  }

  async forward(request: GatewayRequest): Promise<ForwardedRequest> {
    let call: Call | undefined;
    try {
      call = await this.recogniser.recognise(request);
      if (this.options.readOnly && !isReadOnly(call))
        return this.answered(call, await errorResponse(call, request, readOnlyRefusal(call, '--forward-read-only')));
      const sent = await prepareBody(call, 0);
      const { response, outgoing } = await this.upstream.exchange(call, sent, request.signal());
      const { status, headers, body } = response;
      if (!changesResponse(call)) return this.answered(call, { status, headers, body });
      const { 'content-length': _, ...rest } = headers;
      const changed = bodyForClient(call, outgoing, await collect(body, MAX_WHOLE_RESPONSE));
      return this.answered(call, { status, headers: rest, body: changed });
    } catch (error) {
      const failure = failureOf(error, this.options.log);
      return this.answered(call, await errorResponse(call, request, failure));
    }
  }

  close(): void {
    this.upstream.close();
  }

  private answered(call: Call | undefined, response: GatewayResponse): ForwardedRequest {
    const { status, headers } = response;
    const code = headerOf(headers, 'x-amzn-errortype')?.split(':', 1)[0] ?? String(status);
    return {
      response,
      service: call?.service ?? '',
      operation: call?.operation ?? '',
      region: call?.region ?? this.options.settings.region,
      accessKeyId: call?.scope?.accessKeyId,
      errorCode: status >= 400 ? code : undefined,
    };
  }
}

const NOTHING = new Uint8Array();

/**
 * Creates the forwarder of `--forward`.
 * @throws ConfigError for an unknown service, a service of emu without `!`, and without credentials
 */
export async function createForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const services = await AwsServices.load();
  const chosen = chosenOf(options, services);
  const credentials = options.credentials ?? ownCredentials();
  try {
    await credentials();
  } catch (error) {
    if (error instanceof NoCredentials) throw new ConfigError(`--forward (EMULATOR_FORWARD): ${error.message}`);
    throw error;
  }
  return new AwsForwarder({ ...options, credentials }, chosen, services, await userConfig());
}

function chosenOf({ names, manifests }: ForwarderOptions, services: AwsServices): Chosen {
  const own = new Set<string>();
  const others = new Map<string, AwsService[]>();
  const emulated = new Set(manifests.map(({ name }) => name));
  for (const text of names) {
    const forced = text.endsWith('!');
    const name = forced ? text.slice(0, -1) : text;
    if (emulated.has(name)) {
      if (!forced)
        throw new ConfigError(
          `--forward (EMULATOR_FORWARD): emu has the service ${name}. To send its requests to AWS instead, write ${name}!`,
        );
      own.add(name);
      continue;
    }
    const family = services.family(name);
    if (family.length === 0) {
      const match = nearest(name, services.names);
      throw new ConfigError(
        `--forward (EMULATOR_FORWARD): AWS has no service ${name}${match ? `; did you mean ${match}?` : '.'}`,
      );
    }
    for (const service of family)
      others.set(service.signingName, [...(others.get(service.signingName) ?? []), service]);
  }
  return { own, others };
}

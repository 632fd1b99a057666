import type { Invocation, Kernel } from '@emu/core';
import type { EmulatorSettings, HttpDetails, Principal, ReplyDetails } from '@emu/core/service';
import { headerOf, type WireRequest } from '@emu/wire';
import type { GatewayRequest } from '../http/request.ts';

/** Base URL the caller reached emu by, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
export function endpointOf(request: GatewayRequest, { externalUrl }: EmulatorSettings): string {
  if (externalUrl !== undefined) return externalUrl;
  const { secure, localPort, headers } = request;
  const host = headerOf(headers, 'host') || (localPort ? `localhost:${localPort}` : 'localhost');
  return `${secure ? 'https' : 'http'}://${host}`;
}

/** One request on its way through the gateway; what the kernel runs, and what the access log tells of it. */
export class Exchange implements Invocation {
  service = '';
  operation = '';
  input: unknown;
  accountId = '';
  region = '';
  principal!: Principal;
  protocol = '';
  reply: ReplyDetails | undefined;
  changes: Invocation['changes'];
  /** Code of the error that is answered. */
  errorCode: string | undefined;
  errorMessage: string | undefined;
  /** What the handler answered, where anybody asks. */
  output: unknown;
  readonly authorize = true;
  readonly requestId: string;

  constructor(
    private readonly kernel: Kernel,
    readonly request: GatewayRequest,
    readonly wire: WireRequest,
  ) {
    this.requestId = kernel.ids.uuid();
  }

  get cause(): string | undefined {
    return this.kernel.credentials.causeOf(this.principal.accessKeyId);
  }

  get endpoint(): string {
    return endpointOf(this.request, this.kernel.settings);
  }

  get http(): HttpDetails {
    const { method, path, query, headers, body } = this.wire;
    const { remoteAddress, secure, tlsVersion } = this.request;
    return { method, path, query, headers, body, remoteAddress, protocol: this.protocol, secure, tlsVersion };
  }

  signal = (): AbortSignal => this.request.signal();
}

import type { Kernel, LoadedService, ServiceManifest, WebPageRequest } from '@emu/core';
import type { DataPlanes } from '../data-planes.ts';
import type { Dispatcher } from '../dispatch.ts';
import type { GatewayRequest } from '../request.ts';
import type { PageRestriction } from './access.ts';

const NO_BODY = new Uint8Array(0);

/** What services let pages have that may not use emu. */
export class ForeignPages {
  constructor(
    private readonly kernel: Kernel,
    private readonly dataPlanes: DataPlanes,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** The services whose data planes may serve a page's request. */
  async claimants(
    request: GatewayRequest,
    path: string,
    query: string,
    page: PageRestriction,
  ): Promise<readonly ServiceManifest[]> {
    const admitting: ServiceManifest[] = [];
    for (const claimant of this.dataPlanes.claimants(request, path) ?? []) {
      const service = await this.kernel.service(claimant.name);
      const facts = this.factsOf(request, path, query, page, undefined);
      if (await admits(service, facts, true)) admitting.push(claimant);
    }
    return admitting;
  }

  /** Whether a page may call the operation that its request names. */
  async mayCall(request: GatewayRequest, path: string, query: string, page: PageRestriction): Promise<boolean> {
    const { method, headers } = request;
    const called = await this.dispatcher.peek({ method, path, query, headers, body: NO_BODY });
    if (!called) return false;
    return admits(called.service, this.factsOf(request, path, query, page, called.operation), false);
  }

  private factsOf(
    request: GatewayRequest,
    path: string,
    query: string,
    { origin }: PageRestriction,
    operation: string | undefined,
  ): WebPageRequest {
    const { method, headers } = request;
    return { method, path, query, headers, host: this.dataPlanes.endpointName(request), origin, operation };
  }
}

/** @param otherwise what a service admits that does not say */
async function admits(service: LoadedService, facts: WebPageRequest, otherwise: boolean): Promise<boolean> {
  const { plugin } = service;
  return plugin.admitsPage ? plugin.admitsPage(facts, service as never) : otherwise;
}
